"""Spanish: what people, machines and spammers write."""

from thresher.demo.phrases import lines, words

RULES = {
    "any": words("""Alba,Bruno,Carmen,Diego,Elena,Fermín,Gloria,Hugo,Irene,Javier,Laura,Manuel,Nuria,Óscar,Pilar,Raúl,
        Sofía"""),
    "kin": words("""la abuela,el abuelo,la tía {any},el tío {any},{any},{any},mamá,papá,tu hermano,mi prima,el vecino,
        la niña"""),
    "thing": words("""la escalera,la maleta,la tienda,el taladro,el paraguas,las llaves,la bici,la lámpara,la cámara,la parrilla,
        las copas,la silla del coche,la manta,la cesta,el libro azul"""),
    "gadget": words("""una lámpara,una mochila,una tetera,una sartén,un abrigo,una almohada,una pluma,un reloj,
        una radio"""),
    "goods": words("""lámparas,zapatos,chaquetas,sartenes,libros,cojines,mochilas,relojes,cuchillos,vinos,muebles,mantas,bicis,juguetes,
        impresoras,herramientas,velas,camisas,gafas,alfombras,auriculares,sábanas,perfumes"""),
    "food": words("paella,tortilla,gazpacho,croquetas,arroz con leche,lentejas,empanada,churros,cocido,pan,flan"),
    "place": words("""en la estación,en el lago,en casa,en el cine,en el colegio,en el jardín,en el mercado,
        en el museo,en el puerto"""),
    "town": words("""Villarroble,Puerto Claro,San Evaristo,Montealto,Río Seco,Castroviejo,Las Encinas,Fuentelana,
        Arenales"""),
    "day": words("lunes,martes,miércoles,jueves,viernes,sábado,domingo"),
    "month": words("enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre"),
    "when": words("""el {day},mañana,esta noche,la semana que viene,el fin de semana,el {day} a las {8..19},
        en {month},pasado mañana"""),
    "price": words("{3..99}.{10..99} €,{5..900} euros,EUR {12..499},{2..49}.90 €,${100..900} pesos"),
    "big": words("{2..45} millones de euros,{2..18}.{#3}.000 USD,{100..950}.000 €"),
    "gain": words("{10..95} %,{200..900} %,{300..9500} € a la semana,{2..20} veces más"),
    "document": words("""el acta,la presentación,el borrador,la tabla,el contrato,el presupuesto,el informe,
        la factura,el plan"""),
    "hi": lines("""
        [Hola|Buenas|Querida|Querido|Buenos días|¡Hola!] {to}[,|:|!|]
        [Hola|Buenas tardes][,| a todos,|!]
    """),
    "bye": lines("""
        [Besos|Un beso|Un abrazo|Hasta pronto|Saludos|Nos vemos|Gracias|Cuídate|Abrazos][,|!|.]
    """),
    "dear": lines("""
        [Estimado cliente|Estimada señora, estimado señor|Hola {to}|Buenos días|Apreciado usuario|Estimado/a {owner}][:|,]
    """),
    "regards": lines("""
        [Atentamente|Un cordial saludo|Saludos cordiales|El equipo de {company}|Atención al cliente|Gracias por su confianza]
    """),
    "wrote": lines("""
        El {1..28}/{1..12}/{20..26}, {quoted} escribió:
        {quoted} escribió:
    """),
    "family_subject": lines("""
        [Domingo|{day}|Cumpleaños|Navidad|Vacaciones|Fotos|Una pregunta|Receta|Noticias|{kin}|{food}][?|!|]
    """),
    "family": lines("""
        {^kin} [viene|llega|pasa] {when}, [¿traes {thing}?|¿vienes tú también?|seremos {3..12} a la mesa.]
        [Ayer|El domingo] hicimos {food}[, riquísimo|, se quemó un poco| con {kin}].
        ¿[Tienes|Has encontrado|Te llevaste] {thing}?
        {^kin} [está mejor|tiene fiebre|llegó bien|aprobó el examen][, menos mal|, por fin|].
        Quedamos {when} {place}, [avisa a {kin}|no llegues tarde|va a llover].
        [Gracias|Mil gracias] por [la tarjeta|el paquete|la cena|las flores|{thing}]!
        [Feliz cumpleaños|Felicidades|Feliz año][ de parte de {kin}|]!
        El [médico|fontanero|casero|profesor] dice que [todo va bien|hay que esperar|viene {when}].
        Te hago la transferencia de {price} [hoy|{when}].
        [Mira|Lee esto|Qué risa]: {link}
        Aquí [llueve|nieva|hace sol] [desde hace {2..9} días|por fin], [el jardín lo agradece|no salimos].
    """),
    "work_subject": lines("""
        [Reunión|Consulta|Vacaciones|Factura {#5}|Acta|Documentos][ {when}| {code1}|]
        {code1}: [próximos pasos|estado|preguntas|costes]
    """),
    "work": lines("""
        Adjunto {document} [de {code1}|como acordamos|para revisar|para firmar].
        ¿[Puedes|Podría usted] [revisar|completar|firmar] {document} antes del {day}?
        La reunión [pasa a|será] {when}, sala {100..420}.
        El cliente [pregunta por|espera|duda de] {code1}, [¿quién se encarga?|lo llamo {when}.]
        Las cifras [de la tabla {1..9}|de {month}] [no cuadran|están bien|faltan].
        La factura {#5} de {price} está [pendiente|pagada|en contabilidad].
        Estaré [de vacaciones|de viaje|en casa] {when}, {any} me sustituye.
        [El ascensor|La calefacción|La impresora] [se repara {when}|no funciona|ya funciona].
        Hay que pedir {2..40} {goods}, con {3..15} % de descuento.
    """),
    "reply": lines("""
        [Sí, perfecto|De acuerdo|Vale|Lo siento, no|Me encargo|Gracias|Recibido|Hecho][, hasta el {day}|.|!]
        ¿[Qué tal|Y si lo dejamos para] {when}?
        [Perdona, se me pasó|Pregunto a {any}|El total debería ser {3..900}|Mira aquí: {link}|¿Quién tiene {document}?]
    """),
    "stranger_subject": lines("""
        [Su anuncio|Candidatura|Reunión de padres|Cita {when}|Solicitud|Presupuesto {#5}|Lectura de contadores|Objeto perdido]
    """),
    "stranger": lines("""
        ¿Sigue disponible [el piso|la bici|el piano|el armario]? Puedo pasar {when}.
        Su cita es {when}, traiga [la tarjeta|el documento|los papeles].
        Me presento para el puesto de [contable|técnico|enfermera|jardinero], [adjunto mi currículum|libre en {month}].
        La clase va {when} al museo, [hay que llevar {price}|no olviden la comida].
        Los contadores se [leen|cambian] {when} entre las {7..11} y las {12..17}.
        Le ofrecemos {2..40} {goods} a {price} [la unidad|con transporte|con montaje].
        {any} me dio su dirección, [del coro|su compañera|su vecino].
        Por favor, [confirme|responda] antes del {day}.
    """),
    "news_subject": lines("""
        [Hasta {20..70} %|{10..60} % de descuento|Rebajas|Última oportunidad|Novedades|Solo el {day}]: {goods}[!| desde {price}|]
        [Tu vale|Tus puntos|Boletín {1..52}|Ventajas para {to}][!|]
    """),
    "news": lines("""
        {^when} ahorra hasta un {10..70} % en {goods}[ y {goods}|][.|!]
        Código {*6}: [{price} de descuento|envío gratis|válido hasta el {day}].
        Solo quedan {3..90} [unidades|a este precio], [date prisa|pide ya]!
        Novedad: {goods} [desde {price}|hechos en {town}|en muchos colores].
        Tienes {100..4900} puntos, [equivalen a {price}|caducan en {month}].
        [Envío gratis|Devolución gratis] desde {price}.
        [Gana|Descubre] {gadget} [valorado en {price}|de {brand}].
        Nuestra guía: {3..12} consejos para elegir {goods}.
    """),
    "offer": lines("""
        {^goods} [desde|ahora|por] {price}
        {brand} [Classic|Pro|Mini] - {price} [antes {price}|]
    """),
    "receipt_subject": lines("""
        [Su pedido|Factura|Confirmación|Envío|Su billete|Pago recibido] {#7}
    """),
    "receipt": lines("""
        [Gracias por|Confirmamos] su [pedido|pago|reserva] [{#7}|de {price}].
        [Su paquete|El envío] [está en camino|llega {when}|le espera]: {link}
        [Pagado con|Pago:] [tarjeta {#4}|transferencia|recibo], [IVA incluido|gastos de envío] {price}.
        La factura [va adjunta|está en su cuenta].
        ¿Dudas? [Responda a este mensaje|Cliente n.º {#6}|Devolución en {14..60} días].
    """),
    "notice_subject": lines("""
        [Nuevo acceso|Su código {#6}|Contraseña|Su extracto|Mantenimiento {when}|Nuevas condiciones|Confirme su dirección]
    """),
    "notice": lines("""
        Su código es {#6}, válido {5..30} minutos.
        Nuevo acceso desde {town} {when}. [¿No fue usted?|¿Dudas?] {link}
        Para cambiar la contraseña [use este enlace|el enlace sirve una vez]: {link}
        El extracto de {month} está [disponible|en línea].
        Nunca pedimos [la contraseña|el código] por correo.
        Servicio no disponible {when} de {1..5} a {6..9} h.
    """),
    "pharma_subject": lines("""
        [{drug} sin receta|{drug} -{20..90} %|Adelgaza en {2..6} semanas|Más potencia|Pastillas desde {price}][!|]
    """),
    "pharma": lines("""
        {drug} [sin receta|discreto|original] desde {price} [la caja|con pastillas gratis].
        [Pierde {4..30} kilos|Duerme mejor|Adiós al dolor] con {drug}, [sin deporte|garantizado|o te devolvemos el dinero].
        [Los médicos se asombran|No quieren que lo sepas]: [esta raíz|este truco] actúa en {2..9} días.
        [Envío discreto|Paquete neutro|Entrega urgente] en {2..9} días.
    """),
    "invest_subject": lines("""
        [{gain} con {coin}|{coin} se dispara|Los bancos lo odian|Tu saldo {price}|Gana desde casa][!|]
    """),
    "invest": lines("""
        Con {coin} [ganas|{any} de {town} gana] {gain}[, sin riesgo|].
        [Deposita {price}|Empieza con {price}] y [retira|cobra] {gain} [cada día|tras {2..30} días].
        [El robot|El programa] [opera|invierte] por ti [día y noche|solo].
        [Solo quedan {3..60} plazas|Tu cuenta caduca {when}|Préstamo rápido al {1..4} % sin aval].
    """),
    "date_subject": lines("""
        [{any} ({19..39})|{any} quiere verte|Solteras en {town}|Hola guapo|Mi foto]
    """),
    "date": lines("""
        Soy {any}, {19..39} años, [sola|nueva en {town}|cariñosa] y [busco un hombre|vi tu perfil].
        [Mis fotos|Mírame] aquí: {link}
        {2..90} chicas [en {town}|cerca de ti] [esperan|están en línea], [registro gratis|escribe ya].
        [Contéstame|Escríbeme] [esta noche|pronto], [sin juegos|te espero].
    """),
    "parcel_subject": lines("""
        [Su paquete|Envío {#9}|Entrega] [está retenido|no se pudo entregar|en espera|: {price} pendiente]
    """),
    "parcel": lines("""
        Su paquete {*8} [no se pudo entregar|está en aduana|espera en el depósito].
        [Pague|Faltan] {price} de [gastos|aduana][ antes del {day}|, o será devuelto].
        [El número|Su dirección] está [incompleto|mal], [corrija|compruebe]: {link}
        [Elegir fecha|Seguir el envío]: {link}
    """),
    "bank_subject": lines("""
        [Su usuario|Su perfil|Su acceso] [está bloqueado|está limitado|debe confirmarse|caduca]
        [Mensaje importante|Aviso de seguridad|Nuevo mensaje|Devolución de {price}]
    """),
    "bank": lines("""
        [Hemos detectado|Nuestro sistema detectó] [pagos|accesos] inusuales [en su cuenta|desde {town}].
        [Por seguridad|Según la nueva norma], [su acceso está bloqueado|la tarjeta {#4} está limitada].
        Confirme [sus datos|su cuenta|su número] [en {12..72} horas|antes del {day}]: {link}
        [De lo contrario|Si no], [se cerrará la cuenta|se cobrarán {price}].
        Le corresponde una devolución de {price}, [indique su tarjeta|rellene el formulario].
    """),
    "bill_subject": lines("""
        [Factura|Recordatorio|Último aviso|Orden de compra|Embargo|Transferencia] {#6}
    """),
    "bill": lines("""
        [Adjunto|Le enviamos] [la factura pendiente|el aviso|el justificante] {#6} de {price}.
        [Pague|Rogamos abone] [antes del {day}|de inmediato], o [habrá recargo|irá al juzgado].
        [Clave del archivo|La contraseña] es {#4}. [Active las macros|Habilite la edición].
        Nuestra cuenta bancaria [ha cambiado|es nueva], [vea la factura|tome nota].
    """),
    "bec_subject": lines("""
        [¿Estás disponible?|Urgente|Una petición|Confidencial|Transferencia|Nueva cuenta|{to}]
    """),
    "bec": lines("""
        ¿[Estás en la oficina|Está disponible]? [Necesito un favor|Es urgente|Responda solo por correo].
        Estoy en [una reunión|un congreso] y no puedo hablar.
        [Hay que transferir|Pague] {price} [a un proveedor nuevo|hoy mismo], [datos después|es confidencial].
        [Compra|Compre] {3..12} tarjetas regalo y [manda los códigos|envíe las fotos].
    """),
    "fee_subject": lines("""
        [Propuesta|Herencia|Donación de {big}|Asunto confidencial|Ha ganado]
    """),
    "fee": lines("""
        Soy [el abogado|el doctor|la viuda] {any}, [de Guinea|en Londres|del extranjero], y [busco su ayuda|confío en usted].
        Mi [cliente|marido] [murió|falleció] y dejó {big}, [sin heredero|en un banco].
        Usted [recibirá|guardará] el {20..50} %, [todo es legal|sin riesgo|Dios le bendiga].
        Envíe [nombre|dirección], teléfono y [cuenta|pasaporte] a {address2}.
        Solo hay que pagar [la tasa|el impuesto] de {price}.
    """),
    "win_subject": lines("""
        [Enhorabuena|Ha ganado|Su regalo|Encuesta: {price}][!|, {to}!]
    """),
    "win": lines("""
        Ha sido [elegido|sorteado]: {gadget} [gratis|valorado en {price}].
        Responda a {2..9} preguntas[ y es suyo|].
        Solo quedan [{2..12} horas|hoy], [envío {1..3}.95 €|confirme la dirección].
    """),
    "click": words("""Haga clic aquí,Pedir ahora,Ver la oferta,Más información,Comprobar,Entrar,Confirmar,Descubrir,
        Continuar"""),
    "unsubscribe": lines("""
        [Darse de baja|No recibir más mensajes][: {link}| aquí|]
        {company}, {2..99} [calle Mayor|plaza del Mercado], {town}
    """),
}
