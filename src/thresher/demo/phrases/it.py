"""Italian: what people, machines and spammers write."""

from thresher.demo.phrases import lines, words

RULES = {
    "any": words("""Alba,Bruno,Chiara,Dario,Elisa,Fabio,Giulia,Ilaria,Luca,Marta,Nicola,Ornella,Paolo,Rosa,Silvio,
        Tiziana"""),
    "kin": words("""la nonna,il nonno,zia {any},zio {any},{any},{any},mamma,papà,tuo fratello,mia cugina,il vicino,
        la piccola"""),
    "thing": words("""la scala,la valigia,la tenda,il trapano,l'ombrello,le chiavi,la bici,la lampada,la griglia,
        i bicchieri,la coperta"""),
    "gadget": words("""una lampada,uno zaino,un bollitore,una padella,un cappotto,un cuscino,una penna,un orologio,
        una radio"""),
    "goods": words("""lampade,scarpe,giacche,padelle,libri,cuscini,zaini,orologi,coltelli,vini,mobili,coperte,bici,giocattoli,stampanti,
        attrezzi,candele,camicie,occhiali,tappeti,cuffie,lenzuola,profumi"""),
    "food": words("""le lasagne,il risotto,la torta di mele,gli gnocchi,la parmigiana,il minestrone,la focaccia,
        il tiramisù,il pane"""),
    "place": words("""alla stazione,al lago,da noi,al cinema,a scuola,in giardino,al mercato,al museo,al porto,
        in palestra"""),
    "town": words("""Montelago,Rivachiara,San Gualtiero,Borgofiume,Castelrosso,Valdorata,Portosereno,Pievalta,
        Ponteverde"""),
    "day": words("lunedì,martedì,mercoledì,giovedì,venerdì,sabato,domenica"),
    "month": words("gennaio,febbraio,marzo,aprile,maggio,giugno,luglio,agosto,settembre,ottobre,novembre,dicembre"),
    "when": words("""{day},domani,stasera,la settimana prossima,nel fine settimana,{day} alle {8..19},a {month},
        dopodomani"""),
    "price": words("{3..99}.{10..99} €,{5..900} euro,EUR {12..499},{2..49}.90 €"),
    "big": words("{2..45} milioni di euro,{2..18}.{#3}.000 USD,{100..950}.000 €"),
    "gain": words("il {10..95} %,il {200..900} %,{300..9500} € a settimana,{2..20} volte tanto"),
    "document": words("""il verbale,le slide,la bozza,la tabella,il contratto,il preventivo,la relazione,la fattura,
        il piano"""),
    "hi": lines("""
        [Ciao|Cara|Caro|Buongiorno|Ehi] {to}[,|!|]
        [Ciao|Buonasera][,| a tutti,|!]
    """),
    "bye": lines("""
        [Baci|Un abbraccio|A presto|Ciao|Saluti|Ci vediamo|Grazie|Un bacione|Buona giornata][,|!|]
    """),
    "dear": lines("""
        [Gentile cliente|Gentile signora, gentile signore|Ciao {to}|Buongiorno|Caro utente|Gentile {owner}][,|]
    """),
    "regards": lines("""
        [Cordiali saluti|Distinti saluti|Il team {company}|Servizio clienti|Grazie per la fiducia]
    """),
    "wrote": lines("""
        Il {1..28}/{1..12}/{20..26}, {quoted} ha scritto:
        {quoted} ha scritto:
    """),
    "family_subject": lines("""
        [Domenica|{day}|Compleanno|Natale|Vacanze|Foto|Una domanda|Ricetta|Novità|{kin}][?|!|]
    """),
    "family": lines("""
        {^kin} [viene|arriva|passa] {when}, [porti {thing}?|vieni anche tu?|saremo in {3..12}.]
        [Ieri|Domenica] abbiamo fatto {food}[, buonissimo|, un po' bruciato| con {kin}].
        [Hai|Hai trovato|Hai preso] {thing}?
        {^kin} [sta meglio|ha il raffreddore|ti saluta|ha passato l'esame][, meno male|, finalmente|].
        Ci vediamo {when} {place}, [avvisa {kin}|non fare tardi|pare che piova].
        [Grazie|Mille grazie] per [il biglietto|il pacco|la cena|i fiori|{thing}]!
        [Buon compleanno|Auguri|Buon anno][ anche da {kin}|]!
        [Il medico|L'idraulico|Il padrone di casa|Il maestro] dice che [va tutto bene|bisogna aspettare|viene {when}].
        Ti faccio il bonifico di {price} [oggi|{when}].
        [Guarda|Leggi qui|Che ridere]: {link}
        Qui [piove|nevica|c'è il sole] [da {2..9} giorni|finalmente], [il giardino ringrazia|restiamo a casa].
    """),
    "work_subject": lines("""
        [Riunione|Domanda|Ferie|Fattura {#5}|Verbale|Documenti][ {when}| {code1}|]
        {code1}: [prossimi passi|stato|domande|costi]
    """),
    "work": lines("""
        In allegato {document} [per {code1}|come d'accordo|da rivedere|da firmare].
        [Puoi|Potrebbe] [controllare|completare|firmare] {document} entro {day}?
        La riunione [è spostata a|sarà] {when}, sala {100..420}.
        Il cliente [chiede di|aspetta|ha dubbi su] {code1}, [chi se ne occupa?|lo chiamo {when}.]
        I numeri [della tabella {1..9}|di {month}] [non tornano|vanno bene|mancano].
        La fattura {#5} di {price} è [aperta|pagata|in contabilità].
        Sono [in ferie|in viaggio|a casa] {when}, {any} mi sostituisce.
        [L'ascensore|Il riscaldamento|La stampante] [si ripara {when}|è guasto|funziona di nuovo].
        Dobbiamo ordinare {2..40} {goods}, sconto del {3..15} %.
    """),
    "reply": lines("""
        [Sì, perfetto|D'accordo|Va bene|Purtroppo no|Ci penso io|Grazie|Ricevuto|Fatto][, a {day}|.|!]
        [Che ne dici di|Facciamo] {when}?
        [Scusa, mi era sfuggito|Chiedo a {any}|Il totale dovrebbe essere {3..900}|Vedi qui: {link}|Chi ha {document}?]
    """),
    "stranger_subject": lines("""
        [Il suo annuncio|Candidatura|Riunione genitori|Appuntamento {when}|Richiesta|Preventivo {#5}|Lettura contatori|Smarrito]
    """),
    "stranger": lines("""
        È ancora disponibile [l'appartamento|la bici|il pianoforte|l'armadio]? Posso passare {when}.
        Il suo appuntamento è {when}, porti [la tessera|un documento|le carte].
        Mi candido come [contabile|tecnico|infermiera|giardiniere], [allego il curriculum|libero da {month}].
        La classe va {when} al museo, [servono {price}|non dimenticate il pranzo].
        I contatori saranno [letti|cambiati] {when} tra le {7..11} e le {12..17}.
        Le offriamo {2..40} {goods} a {price} [l'uno|con trasporto|montaggio incluso].
        Ho avuto il suo indirizzo da {any}, [del coro|la sua collega|il suo vicino].
        La prego di [confermare|rispondere] entro {day}.
    """),
    "news_subject": lines("""
        [Fino al {20..70} %|Sconto {10..60} %|Saldi|Ultima occasione|Novità|Solo {day}]: {goods}[!| da {price}|]
        [Il tuo buono|I tuoi punti|Newsletter {1..52}|Vantaggi per {to}][!|]
    """),
    "news": lines("""
        {^when} risparmi fino al {10..70} % su {goods}[ e {goods}|][.|!]
        Codice {*6}: [{price} di sconto|spedizione gratis|valido fino a {day}].
        Solo {3..90} [pezzi|a questo prezzo], [affrettati|ordina ora]!
        Novità: {goods} [da {price}|fatti a {town}|in tanti colori].
        Hai {100..4900} punti, [valgono {price}|scadono a {month}].
        [Spedizione gratis|Reso gratis] da {price}.
        [Vinci|Scopri] {gadget} [del valore di {price}|di {brand}].
        La nostra guida: {3..12} consigli per scegliere {goods}.
    """),
    "offer": lines("""
        {^goods} [da|ora|a] {price}
        {brand} [Classic|Pro|Mini] - {price} [invece di {price}|]
    """),
    "receipt_subject": lines("""
        [Il suo ordine|Fattura|Conferma|Spedizione|Il suo biglietto|Pagamento ricevuto] {#7}
    """),
    "receipt": lines("""
        [Grazie per|Confermiamo] il suo [ordine|pagamento|acquisto] [{#7}|di {price}].
        [Il pacco|La spedizione] [è in viaggio|arriva {when}|la aspetta]: {link}
        [Pagato con|Pagamento:] [carta {#4}|bonifico|addebito], [IVA inclusa|spese di spedizione] {price}.
        La fattura [è allegata|è nel suo profilo].
        Domande? [Risponda a questo messaggio|Cliente n. {#6}|Reso entro {14..60} giorni].
    """),
    "notice_subject": lines("""
        [Nuovo accesso|Il suo codice {#6}|Password|Il suo estratto conto|Manutenzione {when}|Nuove condizioni|Confermi l'indirizzo]
    """),
    "notice": lines("""
        Il suo codice è {#6}, valido {5..30} minuti.
        Nuovo accesso da {town} {when}. [Non era lei?|Dubbi?] {link}
        Per cambiare la password [usi questo link|il link vale una volta]: {link}
        L'estratto conto di {month} è [disponibile|online].
        Non chiediamo mai [la password|il codice] per e-mail.
        Servizio sospeso {when} dalle {1..5} alle {6..9}.
    """),
    "pharma_subject": lines("""
        [{drug} senza ricetta|{drug} -{20..90} %|Dimagrisci in {2..6} settimane|Più vigore|Pillole da {price}][!|]
    """),
    "pharma": lines("""
        {drug} [senza ricetta|discreto|originale] da {price} [a scatola|con pillole gratis].
        [Perdi {4..30} chili|Dormi meglio|Basta dolori] con {drug}, [senza sport|garantito|o rimborsato].
        [I medici si stupiscono|Non vogliono che lo sappia]: [questa radice|questo trucco] agisce in {2..9} giorni.
        [Spedizione discreta|Pacco anonimo|Consegna rapida] in {2..9} giorni.
    """),
    "invest_subject": lines("""
        [Guadagna {gain}|{coin} vola|Le banche lo odiano|Il tuo saldo {price}|Lavora da casa][!|]
    """),
    "invest": lines("""
        Con {coin} [guadagni|{any} di {town} guadagna] {gain}[, senza rischi|].
        [Versa {price}|Inizia con {price}] e [ritira|incassa] {gain} [ogni giorno|dopo {2..30} giorni].
        [Il robot|Il programma] [opera|investe] per te [giorno e notte|da solo].
        [Solo {3..60} posti|Il conto scade {when}|Prestito veloce al {1..4} % senza garanzie].
    """),
    "date_subject": lines("""
        [{any} ({19..39})|{any} vuole vederti|Single a {town}|Ciao bello|La mia foto]
    """),
    "date": lines("""
        Sono {any}, {19..39} anni, [sola|nuova a {town}|dolce] e [cerco un uomo|ho visto il tuo profilo].
        [Le mie foto|Guardami] qui: {link}
        {2..90} ragazze [a {town}|vicino a te] [aspettano|sono online], [iscrizione gratis|scrivi subito].
        [Rispondimi|Scrivimi] [stasera|presto], [niente giochi|ti aspetto].
    """),
    "parcel_subject": lines("""
        [Il suo pacco|Spedizione {#9}|Consegna] [in giacenza|non consegnata|bloccata|: {price} da pagare]
    """),
    "parcel": lines("""
        Il pacco {*8} [non è stato consegnato|è fermo in dogana|è in deposito].
        [Paghi|Mancano] {price} di [spese|dogana][ entro {day}|, o sarà restituito].
        [Il numero civico|L'indirizzo] è [incompleto|errato], [lo corregga|verifichi]: {link}
        [Scelga la data|Segua il pacco]: {link}
    """),
    "bank_subject": lines("""
        [Il suo conto|Il suo profilo|Il suo accesso] [è bloccato|è limitato|va confermato|scade]
        [Messaggio importante|Avviso di sicurezza|Nuovo messaggio|Rimborso di {price}]
    """),
    "bank": lines("""
        [Abbiamo rilevato|Il sistema ha rilevato] [pagamenti|accessi] insoliti [sul suo conto|da {town}].
        [Per sicurezza|Per la nuova norma], [il suo accesso è bloccato|la carta {#4} è limitata].
        Confermi [i suoi dati|il conto|il numero] [entro {12..72} ore|entro {day}]: {link}
        [Altrimenti|In caso contrario] [il conto sarà chiuso|si applicano {price}].
        Le spetta un rimborso di {price}, [indichi la carta|compili il modulo].
    """),
    "bill_subject": lines("""
        [Fattura|Sollecito|Ultimo avviso|Ordine|Ingiunzione|Bonifico] {#6}
    """),
    "bill": lines("""
        In allegato [la fattura scaduta|il sollecito|la ricevuta] {#6} di {price}.
        [Paghi|La preghiamo di saldare] [entro {day}|subito], o [seguirà il legale|ci saranno spese].
        [La password del file|Il codice] è {#4}. [Attivi le macro|Abiliti la modifica].
        Le nostre coordinate bancarie [sono cambiate|sono nuove], [veda la fattura|ne prenda nota].
    """),
    "bec_subject": lines("""
        [Sei disponibile?|Urgente|Una richiesta|Riservato|Bonifico|Nuovo IBAN|{to}]
    """),
    "bec": lines("""
        [Sei in ufficio|È disponibile]? [Mi serve un favore|È urgente|Rispondi solo via mail].
        Sono in [riunione|conferenza] e non posso parlare.
        [Dobbiamo versare|Paga] {price} [a un nuovo fornitore|oggi], [dati a seguire|è riservato].
        [Compra|Acquisti] {3..12} carte regalo e [manda i codici|invii le foto].
    """),
    "fee_subject": lines("""
        [Proposta|Eredità|Donazione di {big}|Riservato|Ha vinto]
    """),
    "fee": lines("""
        Sono [l'avvocato|il dottor|la vedova] {any}, [dal Benin|da Londra|dall'estero], e [cerco il suo aiuto|ho fiducia in lei].
        Il mio [cliente|marito] [è morto|è scomparso] lasciando {big}, [senza eredi|in banca].
        Lei [riceverà|terrà] il {20..50} %, [tutto è legale|senza rischi|Dio la benedica].
        Mandi [nome|indirizzo], telefono e [conto|passaporto] a {address2}.
        Basta pagare [la tassa|le spese] di {price}.
    """),
    "win_subject": lines("""
        [Complimenti|Ha vinto|Il suo regalo|Sondaggio: {price}][!|, {to}!]
    """),
    "win": lines("""
        Lei è stato [scelto|estratto]: {gadget} [gratis|del valore di {price}].
        Risponda a {2..9} domande[ ed è suo|].
        Solo [{2..12} ore|oggi], [spedizione {1..3}.95 €|confermi l'indirizzo].
    """),
    "click": words("""Clicca qui,Ordina ora,Vedi l'offerta,Scopri di più,Verifica,Accedi,Conferma,Continua,
        Vai al negozio"""),
    "unsubscribe": lines("""
        [Cancellati|Non ricevere più messaggi][: {link}| qui|]
        {company}, {2..99} [via Roma|piazza del Mercato], {town}
    """),
}
