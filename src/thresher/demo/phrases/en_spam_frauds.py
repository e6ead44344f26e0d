"""How English spam deceives: banks and parcels that are none, bosses who are none, bills, heirs, threats."""

from thresher.demo.phrases import lines

RULES = {
    "bank_subject": lines("""
        [Your account|Your card|Online access|Account {#4}] [has been|is|will be] [locked|limited|suspended|restricted|closed]
        [Security|Important|Urgent] [alert|notice|message|update][ from {company}|: action required|]
        [Unusual|New|Suspicious] [sign-in|activity|payment of {price}] [detected|on your account|]
        [Verify|Confirm|Update] your [details|identity|account|card] [now|before {weekday}|]
        [You have|1] [new secure message|refund of {price}|unread notice]
        Your [{month} statement|bill|tax refund] [is ready|{price}|needs your confirmation]
    """),
    "bank": lines("""
        [We noticed|We detected|Our system found] [unusual|suspicious|irregular] [activity|sign-in|payments] on your [account|card][ from {town}|].
        [For your security|For your protection|Due to new rules], [your account|your card|access] [was|has been] [limited|locked|suspended].
        [Please|You must|Kindly] [verify|confirm|update] your [details|identity|phone number|card] [within {12..72} hours|before {weekday}|immediately].
        [Otherwise|If you ignore this|Failing this] [your account will be closed|a fee of {price} applies|access ends {when}].
        A [payment|transfer|purchase] of {price} [to {brand}|from {town}] is [pending|on hold]. [Not you|If it was not you], cancel it: {link}
        [You are|You are owed] [eligible for|] a refund of {price}. [Confirm your card|Fill in the form] to [receive|get] it.
        [This is|We apologise, this is] [an automatic message|a mandatory step|for your safety], [do not reply|it takes {2..5} minutes].
        [Sign in|Log in|Continue] [here|below|with the button] to [restore access|unlock your account|keep your account].
        Your [session|certificate|security app|device] [expired|must be renewed], [renew it|register it again].
        [Dear client|Customer {#6}], [new terms|the new rules] [require|need] your [signature|consent] by {when}.
    """),
    "mailbox_subject": lines("""
        [Mailbox|Your mailbox|{address}] [is full|quota exceeded|almost full|will be closed|{90..99}% used]
        [Password|Your password] [expires today|expires in {1..3} days|must be changed]
        [{2..12} messages|{2..12} incoming mails|Mail delivery] [pending|on hold|blocked][ for {address}|]
        [Webmail|IT|Admin|Helpdesk] [update|upgrade|notice|ticket {#5}]
        [{any} shared|Shared document:] ['{^project}.pdf' with you|invoice_{#4}.pdf|a file with you]
    """),
    "mailbox": lines("""
        Your mailbox {address} [has reached|is at] {90..99}% of its [quota|limit|storage], [new mail will be rejected|clean it now].
        [The password|Your password] for {address} expires [today|in {1..3} days|{when}]. [Keep|Use] the same password: {link}
        {2..12} [messages|mails] [are waiting|were held] [since {weekday}|on the server] [due to|by] [a sync error|an upgrade].
        [Our|The] IT [team|desk] [upgrades|migrates] all [mailboxes|accounts] {when}; [confirm yours|log in] to [avoid loss|stay active].
        {any} [shared|sent you|uploaded] [a document|{document}|a voice message ({10..59} s)], [open it|sign in to view].
        [Ignore this|No action] and [your account is deleted|you lose your messages] in {24..72} hours.
        [Ticket|Reference] {#6}, [mail administrator|help desk|system administrator] of {host}.
    """),
    "parcel_subject": lines("""
        [Your parcel|Shipment {#9}|Package {*8}|Delivery] [is on hold|could not be delivered|waits|failed|: {price} to pay]
        [Customs|Delivery] [fee|charge] [due|unpaid|{price}][ for parcel {#6}|]
        [Last|Second|Final] [reminder|attempt|notice]: [your parcel|delivery {when}]
    """),
    "parcel": lines("""
        [Your parcel|Shipment {#9}|The package {*8}] [could not be delivered|is held at our depot|was stopped at customs][ {when}|].
        [Please pay|A fee of|To release it pay] {price} [is due|for customs|for the second delivery][ within {24..72} hours| by {weekday}|].
        [The address|Your house number|The postcode] is [incomplete|missing|wrong]: [correct it|update it] here {link}
        [Otherwise|After {2..7} days] [it goes back|the parcel is returned|we charge storage][ to the sender|].
        [Choose|Schedule|Confirm] [a new delivery|the delivery date|your address] [online|with the button|below].
        [Sender|From]: {brand}. [Weight|Size]: {1..14}.{0..9} kg. [Status|State]: [on hold|waiting for payment|stopped].
        [Track|Follow] the parcel [here|at]: {link}
    """),
    "bill_subject": lines("""
        [Invoice|INV-|Unpaid invoice|Overdue invoice|Remittance|Purchase order|PO] {#6}[ {price}||- final reminder]
        [Payment|Your payment|Transfer] [confirmation|advice|copy|overdue|of {price}]
        [Your subscription|Renewal|Order {#6}] [was renewed: {price}|confirmed|of {brand} antivirus]
        [Scanned|Scan|Document|Fax|Contract] [from {dept}|{#5}|copy|to sign]
        [Court|Legal|Debt] notice {#5}
    """),
    "bill": lines("""
        [Attached|Please find attached|Enclosed|See attached] [is|] [the|our|your] [invoice|overdue invoice|statement|payment copy|order] [{#6}|for {month}|over {price}].
        [Kindly|Please] [check|review|open|confirm] the [attached|enclosed] [file|document] and [pay|settle|revert] [by {weekday}|today|urgently].
        [The amount|A total] of {price} [is overdue|was charged|will be debited] [since {weekday}|today|for {brand} {version}].
        [Your|The] [{brand} Antivirus|{brand} Protect|premium] subscription [was renewed|renews today] for {price}.
        [To cancel|For a refund|If you did not order this], call [our desk|us] [at|on] +1 888 555 01{#2}[ within {12..48} hours|].
        [The file|The document] is [protected|encrypted], [password|the password is] {#4}.
        [Legal steps|A debt agency|Extra cost] [will follow|start {when}] [without payment|if unpaid].
        [We have changed|Note] our [bank|bank details]: [use the new account|see the invoice] [from now on|for this payment].
        [We want to|We will] order {20..900} {goods}, [see the list|quote your best price|details attached].
        [Enable|Allow] [content|editing|macros] to [see|view] the [document|invoice].
    """),
    "bec_subject": lines("""
        [Are you available|Quick task|Request|Urgent|Favour|Hello {to}|{to}|Payment today|Gift cards|Confidential|Payroll|{^project}][?|]
        [Re: |][supplier|vendor|invoice {#5}|transfer|bank details|direct deposit|new account]
    """),
    "bec": lines("""
        [Are you|Tell me if you are] [at your desk|available|free|in the office]? I [need|have] [a quick task|a favour|something] [for you|done today|to ask].
        I am [in a meeting|boarding|at a conference|with the auditors] and [cannot talk|my phone is off], [so just reply here|mail only].
        [Can you|Please|I need you to] [buy|get] {3..12} gift cards [of {price}|] for [our clients|the team|{dept}], [scratch them and send the codes|I pay you back {when}].
        [We must|Please] [pay|transfer|wire] {price} to [a new supplier|a partner|{brand}] [today|before {clock}|this morning], [details follow|account below].
        [Keep this|Please keep it] [between us|confidential] [until the announcement|for now|, a surprise].
        [I changed|I have changed] my bank, [update|please use] the new account for my [salary|pay|expenses] [from {month}|this month].
        [What is|Send me] [your mobile number|our balance|the list of open invoices|the staff list]?
        [How soon|By when] can you [do it|handle this|get it done]?
        Our [supplier|auditor|lawyer] in {town} [is waiting|needs it today], [treat it as urgent|I count on you].
    """),
    "fee_subject": lines("""
        [Dear friend|Business proposal|Confidential|Inheritance|Your fund|Payment|Charity|Compensation|From Barrister {^any}|ATM card][ {big}|!||: reply needed]
        [Re: |][next of kin|unclaimed fund|donation|urgent reply|partnership|investment in your country]
    """),
    "fee": lines("""
        I am [Barrister|Mr|Mrs|Dr|Engineer|Sister|General] {^any} {^brand}, [a lawyer|a widow|a banker|the wife of the late minister] [in|from] {nation}.
        My late [client|husband|father|partner] [died|perished] in [a crash|an accident|hospital|the war] and left {big} in [a bank|a vault|a security company][ in {nation}|].
        I [need|seek|am looking for] [a trustworthy person|your help|a foreign partner|a next of kin] to [receive|move|invest] [the fund|this money|{big}].
        You [will|shall] [keep|receive|get] {20..50}%[ of the sum| for your help|], [the rest|{5..10}%] [goes to charity|for expenses|is mine].
        [The transaction|This deal] is [legal|safe|100% risk free|blessed] and [must stay secret|needs trust|confidential].
        [Send|Reply with|Forward] your [full name|address|phone number|bank details|passport copy][ to my lawyer| to {address2}|].
        Your [fund|inheritance|compensation|ATM card] of {big} [was approved|has been released|is with our courier][ by the ministry|].
        [You only pay|Just send|Pay only] the [fee|tax|courier|stamp duty] of {price}[ and it is yours| by money transfer|].
        I [have|am dying of] [cancer|an illness] and [want to give|decided to donate] {big} to [the poor|orphans|you].
        [God bless you|Remain blessed|May it please you|I await your reply|Treat as urgent][.|!]
        [I got your contact|I found you] [in a directory|through prayer|at the chamber of commerce|while searching].
    """),
    "blackmail_subject": lines("""
        [Your|{address}:] [account was hacked|password is {*8}|device is mine|private video|secret]
        [I recorded you|Last warning|Pay or everybody knows|You have {24..72} hours][!|]
    """),
    "blackmail": lines("""
        I [hacked|have full access to|infected] your [device|computer|mailbox|router][ {2..9} months ago| in {month}|].
        [Your password|One of your passwords] [is|was] {*8}[, right?|.|.]
        My [program|trojan|virus] [recorded|filmed] you [through the camera|while you visited adult sites].
        [Send|Pay|Transfer] {price} in [coins|bitcoin] to [the wallet|this address] bc1{*12}{*12}{*12}[ within {24..72} hours|].
        [Otherwise|If not] [all your contacts|your family|your colleagues] [get|will see] the video.
        [Do not|No use to] [call the police|reply|reset the device], [I see everything|this mail cannot be traced].
        [After payment|When I am paid] I delete [everything|it], [my word|this is business].
    """),
    "job_subject": lines("""
        [Job offer|Part-time job|Vacancy|Work from home|We found your CV][: {gain}|, {title}|!|]
    """),
    "job": lines("""
        We [saw|found|received] your [CV|resume] and offer [a job as|] [regional agent|payment assistant|parcel handler|mystery shopper].
        [You receive|Your task is to receive] [payments|parcels] at home and [forward|send] them, [keeping {3..12}%|for {price} each].
        [Salary|Pay]: {gain}, [{2..4} hours a day|no experience|from home], [start {when}|paid weekly].
        [Send|Reply with] your [name|age|phone number|bank name] to [our manager {^any}|start|{address2}].
    """),
}
