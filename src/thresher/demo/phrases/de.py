"""German: what people, machines and spammers write."""

from thresher.demo.phrases import lines, words

RULES = {
    "any": words("""Anke,Bernd,Clara,Dieter,Elke,Frieda,Georg,Heike,Ingo,Jule,Karl,Lena,Moritz,Nele,Otto,Paula,Rolf,
        Sabine"""),
    "kin": words("""Oma,Opa,Tante {any},Onkel {any},{any},{any},Mama,Papa,dein Bruder,meine Schwester,der Nachbar,
        die Kleine"""),
    "thing": words("""die Leiter,den Koffer,das Zelt,die Bohrmaschine,den Schirm,die Schlüssel,das Fahrrad,den Schlitten,die Lampe,
        das Waffeleisen,die Kamera,den Grill,die Gartenschere,das Bügelbrett,den Rucksack,die Gläser,den Kindersitz"""),
    "gadget": words("""eine Lampe,ein Rucksack,ein Wasserkocher,eine Pfanne,ein Mantel,ein Kissen,ein Füller,eine Uhr,
        ein Radio"""),
    "goods": words("""Lampen,Schuhe,Jacken,Pfannen,Bücher,Kissen,Rucksäcke,Uhren,Messer,Tees,Weine,Möbel,Decken,Kaffees,Socken,
        Fahrräder,Spielsachen,Drucker,Werkzeuge,Gartenmöbel,Kerzen,Hemden,Brillen,Teppiche,Kopfhörer"""),
    "food": words("""Kartoffelsalat,Linsensuppe,Apfelkuchen,Käsespätzle,Gulasch,Rouladen,Pfannkuchen,Zwiebelkuchen,
        Sauerbraten,Brot"""),
    "place": words("""am Bahnhof,am See,bei uns,im Kino,beim Bäcker,in der Schule,im Garten,auf dem Markt,im Museum,
        in der Halle"""),
    "town": words("Kirchlinden,Oberwald,Neuhafen,Steinbrück,Altenried,Weidenau,Grünfurt,Marienfels,Hohensee,Brunntal"),
    "day": words("Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,Sonntag"),
    "month": words("Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember"),
    "when": words("""am {day},morgen,heute Abend,nächste Woche,am Wochenende,bis {day},um {8..19} Uhr,im {month},
        übermorgen"""),
    "price": words("{3..99}.{10..99} €,{5..900} Euro,EUR {12..499},{2..49}.90 EUR"),
    "big": words("{2..45} Millionen Euro,{2..18}.{#3}.000 USD,{100..950}.000 €"),
    "gain": words("{10..95} %,{200..900} %,{300..9500} € pro Woche,das {2..20}-fache"),
    "document": words("""das Protokoll,die Folien,der Entwurf,die Tabelle,der Vertrag,das Angebot,der Bericht,
        die Rechnung,der Plan"""),
    "project": words("""{code1},das Projekt {code1},der Umzug,die Webseite,die Ausschreibung,das Budget,die Prüfung,
        der Katalog"""),
    "hi": lines("""
        [Hallo|Hi|Liebe|Lieber|Servus|Moin|Guten Morgen|Hey] {to}[,|!|]
        [Hallo|Hi][,| zusammen,|!]
    """),
    "bye": lines("""
        [Liebe Grüße|Viele Grüße|Bis bald|LG|Alles Liebe|Bis dann|Gruß|Herzlich|Danke und Gruß|Tschüss][,|!|]
    """),
    "dear": lines("""
        [Sehr geehrte Damen und Herren|Sehr geehrter Kunde|Guten Tag|Hallo {to}|Guten Tag {owner}|Liebe Kundin, lieber Kunde][,|]
    """),
    "regards": lines("""
        [Mit freundlichen Grüßen|Freundliche Grüße|Mit besten Grüßen|Hochachtungsvoll|Ihr {company}-Team|Vielen Dank]
    """),
    "wrote": lines("""
        Am {1..28}.{1..12}.{20..26} schrieb {quoted}:
        {quoted} schrieb:
    """),
    "family_subject": lines("""
        [Sonntag|{day}|Geburtstag|Ostern|Urlaub|Fotos|Kurze Frage|Rezept|Neues|{kin}|{food}|Grüße {place}][?|!|]
    """),
    "family": lines("""
        {kin} kommt {when} [vorbei|zu Besuch|zum Essen], [bringst du {thing} mit?|magst du auch kommen?|wir freuen uns.]
        [Gestern|Am {day}] gab es {food}[, das war lecker|, leider angebrannt| mit {kin}].
        [Hast|Kannst] du {thing} [noch|gefunden|mitbringen][, bitte|]?
        {kin} ist [wieder gesund|erkältet|im Krankenhaus|gut angekommen|ganz stolz][, zum Glück|].
        Wir treffen uns {when} {place}, [sag {kin} Bescheid|sei pünktlich|es soll regnen].
        [Danke|Vielen Dank|Tausend Dank] für [die Karte|das Paket|den schönen Abend|die Blumen|{thing}]!
        [Alles Gute|Herzlichen Glückwunsch] zum Geburtstag[, auch von {kin}|!| und bleib gesund!]
        Der [Arzt|Klempner|Vermieter|Lehrer] [meint|schreibt], [alles sei gut|wir müssen warten|er kommt {when}].
        Ich überweise dir die {price} [heute|{when}|sobald ich zu Hause bin].
        [Schau mal|Das ist schön|Lies das]: {link}
        Hier [regnet es|schneit es|scheint die Sonne] [seit Tagen|endlich], und [im Garten blüht alles|wir bleiben drin].
        Ruf [mich|uns|{kin}] doch {when} an, [030 23125 {#3}|du hast ja die Nummer].
    """),
    "work_subject": lines("""
        [Besprechung|Termin|Rückfrage|Urlaubsvertretung|Rechnung {#5}|Protokoll|Unterlagen][ {when}| zu {code1}|]
        {code1}: [nächste Schritte|Stand|Fragen|Entwurf|Kosten]
    """),
    "work": lines("""
        Anbei {document} [für {code1}|wie besprochen|mit der Bitte um Durchsicht|zur Unterschrift].
        [Könnten Sie|Kannst du] {document} bis {day} [prüfen|ergänzen|unterschreiben]?
        Die Besprechung ist [jetzt|doch] {when}, Raum {100..420}.
        Der Kunde [fragt nach|wartet auf|hat Fragen zu] {code1}, [wer kümmert sich?|ich rufe ihn {when} an.]
        Die Zahlen [in Tabelle {1..9}|für {month}] [stimmen nicht|sehen gut aus|fehlen noch].
        Die Rechnung {#5} über {price} ist [noch offen|bezahlt|an die Buchhaltung gegangen].
        Ich bin {when} [im Urlaub|unterwegs|im Homeoffice], {any} vertritt mich.
        [Der Aufzug|Die Heizung|Der Drucker] [wird {when} repariert|ist wieder kaputt|geht wieder].
        Wir sollten {when} [reden|entscheiden|telefonieren], [passt {8..17} Uhr?|sonst wird es zu spät.]
        Bitte {2..40} {goods} [bestellen|nachbestellen], der Rabatt sind {3..15} %.
    """),
    "reply": lines("""
        [Ja, gern|Passt|Einverstanden|Leider nein|Mache ich|Danke|Alles klar|Erledigt][, bis {day}|.|!| - {when}]
        [Geht auch|Wie wäre es] {when}?
        [Sorry, übersehen|Ich frage {any}|Die Zahl müsste {3..900} sein|Schau hier: {link}|Wer hat {document}?]
    """),
    "stranger_subject": lines("""
        [Ihre Anzeige|Bewerbung|Elternabend {when}|Ablesung|Terminbestätigung|Anfrage|Angebot {#5}|Hausordnung|Fundsache]
    """),
    "stranger": lines("""
        Ist [die Wohnung|das Fahrrad|das Klavier|der Schrank] noch zu haben? Ich könnte {when} kommen.
        Ihr Termin ist {when} um {8..17} Uhr, bitte bringen Sie [die Karte|den Ausweis|die Unterlagen] mit.
        Hiermit bewerbe ich mich als [Buchhalterin|Techniker|Erzieherin|Gärtner], [Lebenslauf anbei|ab {month} frei].
        Die Klasse {1..9}b fährt {when} ins Museum, [bitte {price} mitgeben|Essen nicht vergessen].
        {when} werden zwischen {7..11} und {12..17} Uhr die Zähler [abgelesen|getauscht].
        Gern bieten wir Ihnen {2..40} {goods} zu {price} [je Stück|frei Haus|inkl. Montage] an.
        Ihre Adresse habe ich von {any}, [der im Chor singt|mit der Sie arbeiten|Ihrem Nachbarn].
        Bitte [bestätigen|melden] Sie sich bis {day}.
    """),
    "news_subject": lines("""
        [Bis zu {20..70} %|{10..60} % Rabatt|Nur heute|Sale|Neu im Shop|Letzte Chance|{month}-Angebote]: {goods}[!| ab {price}|]
        [Ihr Gutschein|Ihre Punkte|Newsletter {1..52}|Vorteile für {to}][ warten|!|]
    """),
    "news": lines("""
        Sparen Sie {when} bis zu {10..70} % auf {goods}[ und {goods}|][.|!]
        [Code {*6}|Mit dem Code {*6}] [gibt es {price} Rabatt|ist der Versand kostenlos].
        [Nur noch|Bloß] {3..90} Stück [auf Lager|zu diesem Preis] - [schnell zugreifen|jetzt bestellen]!
        Neu bei uns: {goods} [ab {price}|aus {town}|in vielen Farben].
        Ihr Konto hat {100..4900} Punkte, [gültig bis {month}|das sind {price}].
        [Kostenloser Versand|Gratis-Rückgabe] ab {price}[ - nur bis {day}|].
        [Gewinnen|Entdecken] Sie {gadget} [im Wert von {price}|von {brand}].
        Unser Ratgeber: {3..12} Tipps [rund um|für] {goods}.
    """),
    "offer": lines("""
        {goods} [ab|nur|jetzt] {price}
        {brand} [Classic|Pro|Mini] - {price} [statt {price}|]
    """),
    "receipt_subject": lines("""
        [Ihre Bestellung|Rechnung|Bestellbestätigung|Versandbestätigung|Ihr Ticket|Zahlungseingang] {#7}
    """),
    "receipt": lines("""
        [Vielen Dank für|Wir bestätigen] Ihre [Bestellung|Zahlung|Buchung] [{#7}|über {price}].
        [Ihr Paket|Die Sendung] [ist unterwegs|kommt {when}|liegt zur Abholung bereit]: {link}
        [Gezahlt per|Zahlung:] [Lastschrift|Karte {#4}|Rechnung], [enthaltene MwSt.|Versand] {price}.
        Die Rechnung [liegt bei|finden Sie im Anhang|steht im Kundenkonto].
        Fragen? [Antworten Sie einfach|Kundennummer {#6} bereithalten|Rückgabe {14..60} Tage möglich].
    """),
    "notice_subject": lines("""
        [Neue Anmeldung|Ihr Code {#6}|Passwort ändern|Ihr Kontoauszug|Wartung {when}|Neue AGB|Bitte Adresse bestätigen]
    """),
    "notice": lines("""
        Ihr Code lautet {#6} und gilt {5..30} Minuten.
        [Neue Anmeldung|Anmeldung von einem neuen Gerät] aus {town} {when}. [Waren Sie das nicht?|Nicht Sie?] {link}
        Sie wollten Ihr Passwort zurücksetzen? [Der Link gilt einmal|Sonst nichts tun]: {link}
        [Der Kontoauszug|Die Abrechnung] für {month} liegt [im Postfach|bereit].
        Wir fragen nie per E-Mail nach [Ihrem Passwort|der PIN].
        [Wartung|Online-Banking nicht erreichbar] {when} von {1..5} bis {6..9} Uhr.
    """),
    "pharma_subject": lines("""
        [{drug} ohne Rezept|{drug} {20..90} % billiger|Schlank in {2..6} Wochen|Mehr Manneskraft|Potenzmittel ab {price}][!|]
    """),
    "pharma": lines("""
        {drug} [ohne Rezept|diskret|original] ab {price} [pro Packung|mit Gratispillen].
        [Nehmen Sie {4..30} Kilo ab|Schlafen Sie besser|Nie wieder Schmerzen] mit {drug}, [ohne Sport|garantiert|Geld zurück].
        [Ärzte staunen|Die Pharmabranche schweigt]: [diese Wurzel|dieser Trick] wirkt in {2..9} Tagen.
        [Diskreter Versand|Neutrale Verpackung|Expresslieferung] in {2..9} Tagen.
    """),
    "invest_subject": lines("""
        [{gain} mit {coin}|{coin} explodiert|Banken hassen das|Ihr Guthaben {price}|Geld verdienen von zu Hause][!|]
    """),
    "invest": lines("""
        Mit {coin} [verdienen Sie|verdiente {any} aus {town}] {gain}[, ganz ohne Risiko|].
        [Nur {price} einzahlen|Starten Sie mit {price}] und [täglich|nach {2..30} Tagen] {gain} [abheben|Gewinn].
        [Die Software|Der Roboter] handelt [automatisch|Tag und Nacht] für Sie.
        [Nur noch {3..60} Plätze|Ihr Konto verfällt {when}|Sofortkredit ohne Schufa ab {1..4} %].
    """),
    "date_subject": lines("""
        [{any} ({19..39})|{any} will dich treffen|Singles in {town}|Hallo du|Mein Foto für dich]
    """),
    "date": lines("""
        Ich bin {any}, {19..39}, [neu in {town}|einsam|ganz lieb] und [suche einen Mann|habe dein Profil gesehen].
        [Meine Fotos|Mehr von mir] [siehst du hier|hier]: {link}
        {2..90} Frauen aus [{town}|deiner Nähe] [warten|sind online], [kostenlos anmelden|schreib schnell].
        [Schreib mir|Antworte] [heute noch|schnell], [keine Spielchen|ich warte].
    """),
    "parcel_subject": lines("""
        [Ihr Paket|Sendung {#9}|Ihre Lieferung] [wartet|konnte nicht zugestellt werden|wird zurückgeschickt|: {price} Zoll]
    """),
    "parcel": lines("""
        Ihr Paket {*8} [konnte nicht zugestellt werden|liegt beim Zoll|wartet im Depot].
        [Zahlen Sie|Es fehlen] {price} [Zollgebühr|Versandkosten][, sonst geht es zurück| bis {day}].
        [Die Hausnummer|Ihre Adresse] ist [falsch|unvollständig], [bitte berichtigen|jetzt prüfen]: {link}
        [Neuen Termin wählen|Sendung verfolgen]: {link}
    """),
    "bank_subject": lines("""
        [Ihr Konto|Ihre Karte|Ihr Zugang] [wurde gesperrt|ist eingeschränkt|muss bestätigt werden|läuft ab]
        [Wichtige Mitteilung|Sicherheitshinweis|Neue Nachricht|Rückerstattung {price}]
    """),
    "bank": lines("""
        [Wir haben|Unser System hat] ungewöhnliche [Zahlungen|Anmeldungen] [in Ihrem Konto|aus {town}] festgestellt.
        [Zu Ihrer Sicherheit|Wegen der neuen Richtlinie] [ist Ihr Zugang gesperrt|wurde die Karte {#4} eingeschränkt].
        Bitte bestätigen Sie [Ihre Daten|Ihr Konto|Ihre Nummer] [innerhalb von {12..72} Stunden|bis {day}]: {link}
        [Sonst|Andernfalls] [schließen wir das Konto|fällt eine Gebühr von {price} an].
        Ihnen stehen {price} zu, [bitte Karte angeben|Formular ausfüllen].
    """),
    "bill_subject": lines("""
        [Rechnung|Mahnung|Letzte Mahnung|Zahlungserinnerung|Auftrag|Inkasso|Lieferschein] {#6}
    """),
    "bill": lines("""
        [Anbei|Im Anhang] [finden Sie|] [die offene Rechnung|unsere Mahnung|die Zahlungsbestätigung] {#6} über {price}.
        [Bitte begleichen Sie|Zahlen Sie] den Betrag [bis {day}|sofort], sonst [folgt das Inkasso|entstehen Kosten].
        [Das Passwort der Datei|Das Kennwort] ist {#4}. [Makros erlauben|Bearbeitung aktivieren].
        Unsere Bankverbindung [hat sich geändert|ist neu], [siehe Rechnung|bitte beachten].
    """),
    "bec_subject": lines("""
        [Kurze Frage|Sind Sie da?|Dringend|Vertraulich|Überweisung|Neue Bankverbindung|{to}]
    """),
    "bec": lines("""
        [Sind Sie am Platz|Bist du im Büro]? [Ich brauche schnell etwas|Es eilt|Bitte nur per Mail antworten].
        Ich sitze in [einer Sitzung|einem Termin] und kann nicht telefonieren.
        [Bitte überweisen Sie|Wir müssen] {price} [an einen neuen Lieferanten|heute noch][ überweisen|], [Daten folgen|streng vertraulich].
        [Besorgen Sie|Kaufe] {3..12} Gutscheinkarten und [schicken Sie die Codes|sende mir Fotos].
    """),
    "fee_subject": lines("""
        [Geschäftsvorschlag|Erbschaft|Spende von {big}|Vertrauliche Anfrage|Sie haben gewonnen]
    """),
    "fee": lines("""
        Ich bin [Anwalt|Bankdirektor|die Witwe] {any} [in London|in Togo|im Ausland] und [suche Ihre Hilfe|brauche Ihr Vertrauen].
        Mein [Mandant|Mann] [starb|verunglückte] und hinterließ {big}, [ohne Erben|auf einer Bank].
        Sie [bekommen|behalten] {20..50} % der Summe, [alles ist legal|kein Risiko|Gott segne Sie].
        Senden Sie [Name|Anschrift], Telefon und [Kontonummer|Ausweiskopie] an {address2}.
        Vorab ist nur [die Gebühr|die Steuer] von {price} zu zahlen.
    """),
    "win_subject": lines("""
        [Herzlichen Glückwunsch|Sie haben gewonnen|Ihr Geschenk|Umfrage: {price}][!|, {to}!]
    """),
    "win": lines("""
        Sie wurden [ausgewählt|gezogen]: {gadget} [gratis|im Wert von {price}].
        [Beantworten Sie|Nur] {2..9} Fragen [und der Preis gehört Ihnen|beantworten].
        Nur noch [heute|{2..12} Stunden], [Versand {1..3},95 €|bestätigen Sie Ihre Adresse].
    """),
    "click": words("""Hier klicken,Jetzt bestellen,Zum Angebot,Mehr erfahren,Jetzt prüfen,Anmelden,Zum Shop,
        Bestätigen,Ansehen"""),
    "unsubscribe": lines("""
        [Abmelden|Newsletter abbestellen|Keine E-Mails mehr][: {link}| hier|]
        {company}, {2..99} [Hauptstraße|Marktplatz], {town}
    """),
}
