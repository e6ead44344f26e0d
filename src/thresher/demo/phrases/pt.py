"""Portuguese: what people, machines and spammers write."""

from thresher.demo.phrases import lines, words

RULES = {
    "any": words("""Ana,Bento,Catarina,Duarte,Eduarda,Filipe,Graça,Henrique,Inês,João,Luísa,Miguel,Nuno,Olga,Pedro,
        Rita,Tiago"""),
    "kin": words("""a avó,o avô,a tia {any},o tio {any},{any},{any},a mãe,o pai,o teu irmão,a minha prima,o vizinho,
        a menina"""),
    "thing": words("""o escadote,a mala,a tenda,o berbequim,o guarda-chuva,as chaves,a bicicleta,o candeeiro,a grelha,
        os copos,a manta"""),
    "gadget": words("""um candeeiro,uma mochila,uma chaleira,uma frigideira,um casaco,uma almofada,uma caneta,
        um relógio,um rádio"""),
    "goods": words("""candeeiros,sapatos,casacos,frigideiras,livros,almofadas,mochilas,relógios,facas,vinhos,móveis,mantas,bicicletas,
        brinquedos,impressoras,ferramentas,velas,camisas,óculos,tapetes,lençóis,perfumes"""),
    "food": words("bacalhau,caldo verde,arroz doce,feijoada,bolo de maçã,sopa,pão de queijo,rissóis,caldeirada,pudim"),
    "place": words("""na estação,no lago,em nossa casa,no cinema,na escola,no jardim,no mercado,no museu,no porto,
        na praia"""),
    "town": words("""Vila Serena,Porto Alvo,Santa Eulina,Monte Raso,Ribeira Nova,Casal Velho,Areal,Pedra Alta,
        Fonte Fria"""),
    "day": words("segunda,terça,quarta,quinta,sexta,sábado,domingo"),
    "month": words("janeiro,fevereiro,março,abril,maio,junho,julho,agosto,setembro,outubro,novembro,dezembro"),
    "when": words("""na {day},amanhã,hoje à noite,na próxima semana,no fim de semana,às {8..19} h,em {month},
        depois de amanhã"""),
    "price": words("{3..99}.{10..99} €,{5..900} euros,R$ {12..499},{2..49}.90 €"),
    "big": words("{2..45} milhões de euros,{2..18}.{#3}.000 USD,{100..950}.000 €"),
    "gain": words("{10..95} %,{200..900} %,{300..9500} € por semana,{2..20} vezes mais"),
    "document": words("a ata,os slides,o rascunho,a tabela,o contrato,o orçamento,o relatório,a fatura,o plano"),
    "hi": lines("""
        [Olá|Oi|Querida|Querido|Bom dia|Viva] {to}[,|!|]
        [Olá|Boa tarde][,| a todos,|!]
    """),
    "bye": lines("""
        [Beijinhos|Um abraço|Até breve|Até logo|Cumprimentos|Obrigada|Obrigado|Beijos|Fica bem][,|!|]
    """),
    "dear": lines("""
        [Estimado cliente|Exmos. Senhores|Olá {to}|Bom dia|Prezado cliente|Caro(a) {owner}][,|:]
    """),
    "regards": lines("""
        [Com os melhores cumprimentos|Atenciosamente|A equipa {company}|Apoio ao cliente|Obrigado pela confiança]
    """),
    "wrote": lines("""
        Em {1..28}/{1..12}/{20..26}, {quoted} escreveu:
        {quoted} escreveu:
    """),
    "family_subject": lines("""
        [Domingo|{day}|Aniversário|Natal|Férias|Fotos|Uma pergunta|Receita|Novidades|{kin}|{food}][?|!|]
    """),
    "family": lines("""
        {^kin} [vem|chega|passa] {when}, [trazes {thing}?|vens também?|somos {3..12} à mesa.]
        [Ontem|No domingo] fizemos {food}[, estava ótimo|, um bocado queimado| com {kin}].
        [Tens|Encontraste|Levaste] {thing}?
        {^kin} [está melhor|tem febre|chegou bem|passou no exame][, ainda bem|, finalmente|].
        Encontramo-nos {when} {place}, [avisa {kin}|não te atrases|vai chover].
        [Obrigado|Muito obrigada] [pelo postal|pela encomenda|pelo jantar|pelas flores]!
        [Parabéns|Feliz aniversário|Bom ano][ da parte de {kin}|]!
        O [médico|canalizador|senhorio|professor] diz que [está tudo bem|é preciso esperar|vem {when}].
        Faço-te a transferência de {price} [hoje|{when}].
        [Vê isto|Lê|Que engraçado]: {link}
        Aqui [chove|neva|está sol] [há {2..9} dias|finalmente], [o jardim agradece|ficamos em casa].
    """),
    "work_subject": lines("""
        [Reunião|Dúvida|Férias|Fatura {#5}|Ata|Documentos][ {when}| {code1}|]
        {code1}: [próximos passos|estado|perguntas|custos]
    """),
    "work": lines("""
        Segue em anexo {document} [de {code1}|como combinado|para rever|para assinar].
        [Podes|Pode] [verificar|completar|assinar] {document} até {day}?
        A reunião [passa para|será] {when}, sala {100..420}.
        O cliente [pergunta por|espera|tem dúvidas sobre] {code1}, [quem trata?|ligo-lhe {when}.]
        Os números [da tabela {1..9}|de {month}] [não batem|estão bem|faltam].
        A fatura {#5} de {price} está [em aberto|paga|na contabilidade].
        Estou [de férias|em viagem|em casa] {when}, {any} substitui-me.
        [O elevador|O aquecimento|A impressora] [é reparado {when}|avariou|já funciona].
        Temos de encomendar {2..40} {goods}, com {3..15} % de desconto.
    """),
    "reply": lines("""
        [Sim, perfeito|De acordo|Está bem|Infelizmente não|Eu trato|Obrigado|Recebido|Feito][, até {day}|.|!]
        [Que tal|E se fosse] {when}?
        [Desculpa, passou-me|Pergunto a {any}|O total deveria ser {3..900}|Vê aqui: {link}|Quem tem {document}?]
    """),
    "stranger_subject": lines("""
        [O seu anúncio|Candidatura|Reunião de pais|Consulta {when}|Pedido|Orçamento {#5}|Leitura de contadores|Achado]
    """),
    "stranger": lines("""
        Ainda está disponível [o apartamento|a bicicleta|o piano|o armário]? Posso passar {when}.
        A sua consulta é {when}, traga [o cartão|um documento|os papéis].
        Venho candidatar-me a [contabilista|técnico|enfermeira|jardineiro], [currículo em anexo|livre em {month}].
        A turma vai {when} ao museu, [são {price}|não esqueçam o lanche].
        Os contadores serão [lidos|trocados] {when} entre as {7..11} e as {12..17}.
        Propomos {2..40} {goods} a {price} [cada|com transporte|montagem incluída].
        {any} deu-me o seu contacto, [do coro|a sua colega|o seu vizinho].
        Agradeço [confirmação|resposta] até {day}.
    """),
    "news_subject": lines("""
        [Até {20..70} %|{10..60} % de desconto|Saldos|Última oportunidade|Novidades|Só {day}]: {goods}[!| desde {price}|]
        [O seu vale|Os seus pontos|Boletim {1..52}|Vantagens para {to}][!|]
    """),
    "news": lines("""
        {^when} poupe até {10..70} % em {goods}[ e {goods}|][.|!]
        Código {*6}: [{price} de desconto|portes grátis|válido até {day}].
        Só restam {3..90} [unidades|a este preço], [apresse-se|encomende já]!
        Novidade: {goods} [desde {price}|feitos em {town}|em muitas cores].
        Tem {100..4900} pontos, [valem {price}|caducam em {month}].
        [Portes grátis|Devolução grátis] a partir de {price}.
        [Ganhe|Descubra] {gadget} [no valor de {price}|da {brand}].
        O nosso guia: {3..12} conselhos para escolher {goods}.
    """),
    "offer": lines("""
        {^goods} [desde|agora|por] {price}
        {brand} [Classic|Pro|Mini] - {price} [em vez de {price}|]
    """),
    "receipt_subject": lines("""
        [A sua encomenda|Fatura|Confirmação|Envio|O seu bilhete|Pagamento recebido] {#7}
    """),
    "receipt": lines("""
        [Obrigado pela|Confirmamos a] sua [encomenda|compra|reserva] [{#7}|de {price}].
        [A encomenda|O envio] [está a caminho|chega {when}|espera por si]: {link}
        [Pago com|Pagamento:] [cartão {#4}|transferência|débito], [IVA incluído|portes] {price}.
        A fatura [segue em anexo|está na sua conta].
        Dúvidas? [Responda a esta mensagem|Cliente n.º {#6}|Devolução em {14..60} dias].
    """),
    "notice_subject": lines("""
        [Novo acesso|O seu código {#6}|Palavra-passe|O seu extrato|Manutenção {when}|Novas condições|Confirme o endereço]
    """),
    "notice": lines("""
        O seu código é {#6}, válido {5..30} minutos.
        Novo acesso de {town} {when}. [Não foi você?|Dúvidas?] {link}
        Para mudar a palavra-passe [use esta ligação|a ligação serve uma vez]: {link}
        O extrato de {month} está [disponível|em linha].
        Nunca pedimos [a palavra-passe|o código] por e-mail.
        Serviço indisponível {when} das {1..5} às {6..9} h.
    """),
    "pharma_subject": lines("""
        [{drug} sem receita|{drug} -{20..90} %|Emagreça em {2..6} semanas|Mais potência|Comprimidos desde {price}][!|]
    """),
    "pharma": lines("""
        {drug} [sem receita|discreto|original] desde {price} [a caixa|com comprimidos grátis].
        [Perca {4..30} quilos|Durma melhor|Adeus à dor] com {drug}, [sem desporto|garantido|ou devolvemos o dinheiro].
        [Os médicos espantam-se|Não querem que saiba]: [esta raiz|este truque] atua em {2..9} dias.
        [Envio discreto|Pacote neutro|Entrega rápida] em {2..9} dias.
    """),
    "invest_subject": lines("""
        [{gain} com {coin}|{coin} dispara|Os bancos odeiam|O seu saldo {price}|Ganhe em casa][!|]
    """),
    "invest": lines("""
        Com {coin} [ganha|{any} de {town} ganha] {gain}[, sem risco|].
        [Deposite {price}|Comece com {price}] e [levante|receba] {gain} [todos os dias|após {2..30} dias].
        [O robô|O programa] [negoceia|investe] por si [dia e noite|sozinho].
        [Só restam {3..60} vagas|A conta expira {when}|Empréstimo rápido a {1..4} % sem fiador].
    """),
    "date_subject": lines("""
        [{any} ({19..39})|{any} quer ver-te|Solteiras em {town}|Oi gato|A minha foto]
    """),
    "date": lines("""
        Sou a {any}, {19..39} anos, [sozinha|nova em {town}|carinhosa] e [procuro um homem|vi o teu perfil].
        [As minhas fotos|Vê-me] aqui: {link}
        {2..90} raparigas [em {town}|perto de ti] [esperam|estão online], [registo grátis|escreve já].
        [Responde|Escreve-me] [hoje|depressa], [sem jogos|espero por ti].
    """),
    "parcel_subject": lines("""
        [A sua encomenda|Envio {#9}|Entrega] [está retida|falhou|em espera|: {price} por pagar]
    """),
    "parcel": lines("""
        A encomenda {*8} [não foi entregue|está na alfândega|espera no depósito].
        [Pague|Faltam] {price} de [portes|alfândega][ até {day}|, ou será devolvida].
        [O número da porta|A morada] está [incompleto|errada], [corrija|verifique]: {link}
        [Escolher data|Seguir o envio]: {link}
    """),
    "bank_subject": lines("""
        [O seu perfil|O seu cartão|O seu acesso] [está bloqueado|está limitado|deve ser confirmado|expira]
        [Mensagem importante|Aviso de segurança|Nova mensagem|Reembolso de {price}]
    """),
    "bank": lines("""
        [Detetámos|O sistema detetou] [pagamentos|acessos] invulgares [na sua conta|de {town}].
        [Por segurança|Pela nova norma], [o seu acesso está bloqueado|o cartão {#4} está limitado].
        Confirme [os seus dados|a conta|o número] [em {12..72} horas|até {day}]: {link}
        [Caso contrário|Senão], [a conta será fechada|serão cobrados {price}].
        Tem direito a um reembolso de {price}, [indique o cartão|preencha o formulário].
    """),
    "bill_subject": lines("""
        [Fatura|Boleto|Último aviso|Nota de encomenda|Penhora|Transferência|Segunda via] {#6}
    """),
    "bill": lines("""
        Segue [a fatura em atraso|o boleto|o comprovativo] {#6} de {price}.
        [Pague|Liquide] [até {day}|de imediato], ou [haverá juros|segue para tribunal].
        [A senha do ficheiro|O código] é {#4}. [Ative as macros|Permita a edição].
        Os nossos dados bancários [mudaram|são novos], [veja a fatura|tome nota].
    """),
    "bec_subject": lines("""
        [Está disponível?|Urgente|Um pedido|Confidencial|Transferência|Novo IBAN|{to}]
    """),
    "bec": lines("""
        [Estás no escritório|Está disponível]? [Preciso de um favor|É urgente|Responda só por e-mail].
        Estou em [reunião|conferência] e não posso falar.
        [Temos de transferir|Pague] {price} [a um novo fornecedor|hoje], [dados a seguir|é confidencial].
        [Compra|Compre] {3..12} cartões-presente e [manda os códigos|envie as fotos].
    """),
    "fee_subject": lines("""
        [Proposta|Herança|Doação de {big}|Assunto confidencial|Ganhou]
    """),
    "fee": lines("""
        Sou [o advogado|o doutor|a viúva] {any}, [de Angola|em Londres|do estrangeiro], e [procuro a sua ajuda|confio em si].
        O meu [cliente|marido] [morreu|faleceu] e deixou {big}, [sem herdeiro|num banco].
        [Receberá|Ficará com] {20..50} %, [tudo é legal|sem risco|Deus o abençoe].
        Envie [nome|morada], telefone e [conta|passaporte] para {address2}.
        Só tem de pagar [a taxa|o imposto] de {price}.
    """),
    "win_subject": lines("""
        [Parabéns|Ganhou|O seu prémio|Inquérito: {price}][!|, {to}!]
    """),
    "win": lines("""
        Foi [escolhido|sorteado]: {gadget} [grátis|no valor de {price}].
        Responda a {2..9} perguntas[ e é seu|].
        Só [{2..12} horas|hoje], [portes {1..3}.95 €|confirme a morada].
    """),
    "click": words("Clique aqui,Encomendar,Ver a oferta,Saber mais,Verificar,Entrar,Confirmar,Continuar,Ir à loja"),
    "unsubscribe": lines("""
        [Cancelar subscrição|Não receber mais mensagens][: {link}| aqui|]
        {company}, {2..99} [rua do Porto|praça do Mercado], {town}
    """),
}
