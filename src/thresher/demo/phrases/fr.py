"""French: what people, machines and spammers write."""

from thresher.demo.phrases import lines, words

RULES = {
    "any": words("""Aline,Bruno,Camille,Denis,Élodie,Fabien,Gaëlle,Hervé,Inès,Julien,Léa,Marc,Noémie,Odile,Pascal,
        Rémi,Sylvie"""),
    "kin": words("""Mamie,Papi,Tante {any},Oncle {any},{any},{any},Maman,Papa,ton frère,ma soeur,le voisin,la petite,
        les cousins"""),
    "thing": words("""l'échelle,la valise,la tente,la perceuse,le parapluie,les clés,le vélo,la luge,la lampe,le gaufrier,l'appareil photo,
        le barbecue,le sécateur,les verres,le siège auto,la couverture,le panier"""),
    "gadget": words("""une lampe,un sac à dos,une bouilloire,une poêle,un manteau,un oreiller,un stylo,une montre,
        une radio"""),
    "goods": words("""lampes,chaussures,vestes,poêles,livres,coussins,sacs,montres,couteaux,thés,vins,meubles,couvertures,vélos,jouets,
        imprimantes,outils,bougies,chemises,lunettes,tapis,casques,draps,parfums,savons"""),
    "food": words("""une quiche,une ratatouille,une tarte aux pommes,du pot-au-feu,des crêpes,un gratin,une soupe,
        du pain,un clafoutis"""),
    "place": words("""à la gare,au lac,chez nous,au cinéma,à l'école,au jardin,au marché,au musée,
        à la salle des fêtes,au port"""),
    "town": words("""Saint-Aubrac,Vieuxbourg,Montrelais,Port-Lérin,Chanteloup,Rivemont,Le Thuret,Beaucastel,
        Villeneuve-sur-Orne"""),
    "day": words("lundi,mardi,mercredi,jeudi,vendredi,samedi,dimanche"),
    "month": words("janvier,février,mars,avril,mai,juin,juillet,août,septembre,octobre,novembre,décembre"),
    "when": words("""{day},demain,ce soir,la semaine prochaine,ce week-end,{day} à {8..19} h,en {month},après-demain,
        {day} midi"""),
    "price": words("{3..99}.{10..99} €,{5..900} euros,EUR {12..499},{2..49}.90 €"),
    "big": words("{2..45} millions d'euros,{2..18} {#3} 000 USD,{100..950} 000 €"),
    "gain": words("{10..95} %,{200..900} %,{300..9500} € par semaine,{2..20} fois plus"),
    "document": words("""le compte rendu,la présentation,le brouillon,le tableau,le contrat,le devis,le rapport,
        la facture,le plan"""),
    "hi": lines("""
        [Bonjour|Salut|Coucou|Chère|Cher|Bonsoir] {to}[,|!|]
        [Bonjour|Salut][,| à tous,|!]
    """),
    "bye": lines("""
        [Bises|Bisous|À bientôt|Amitiés|Je t'embrasse|À plus|Bien à toi|Merci et à bientôt|Bonne journée][,|!|]
    """),
    "dear": lines("""
        [Madame, Monsieur|Cher client|Chère cliente, cher client|Bonjour|Bonjour {to}|Cher(e) {owner}][,|]
    """),
    "regards": lines("""
        [Cordialement|Bien cordialement|Salutations distinguées|L'équipe {company}|Votre service client|Merci de votre confiance]
    """),
    "wrote": lines("""
        Le {1..28}/{1..12}/{20..26}, {quoted} a écrit :
        {quoted} a écrit :
    """),
    "family_subject": lines("""
        [Dimanche|{day}|Anniversaire|Pâques|Vacances|Photos|Petite question|Recette|Des nouvelles|{kin}|{food}][ ?|!|]
    """),
    "family": lines("""
        {kin} [vient|arrive|passe] {when}, [tu apportes {thing} ?|tu viens aussi ?|on sera {3..12} à table.]
        [Hier|Dimanche] on a fait {food}[, c'était délicieux|, un peu brûlé| avec {kin}].
        [Tu as|As-tu] [toujours|retrouvé|pris] {thing} ?
        {kin} [va mieux|a de la fièvre|a fait bon voyage|a eu son examen][, ouf|, enfin|].
        Rendez-vous {when} {place}, [préviens {kin}|ne sois pas en retard|il va pleuvoir].
        [Merci|Mille mercis|Un grand merci] pour [la carte|le colis|la belle soirée|les fleurs|{thing}] !
        [Joyeux anniversaire|Bonne fête|Bonne année][ de la part de {kin}|] !
        Le [médecin|plombier|propriétaire|maître] dit que [tout va bien|il faut attendre|il passe {when}].
        Je te fais un virement de {price} [ce soir|{when}].
        [Regarde|Lis ça|C'est drôle] : {link}
        Ici [il pleut|il neige|il fait beau] [depuis {2..9} jours|enfin], [le jardin est content|on reste au chaud].
    """),
    "work_subject": lines("""
        [Réunion|Point|Question|Absence|Facture {#5}|Compte rendu|Documents][ {when}| {code1}|]
        {code1} : [suite|avancement|questions|budget]
    """),
    "work": lines("""
        Ci-joint {document} [pour {code1}|comme convenu|pour relecture|à signer].
        [Pouvez-vous|Peux-tu] [vérifier|compléter|signer] {document} avant {day} ?
        La réunion est [déplacée|avancée] {when}, salle {100..420}.
        Le client [demande|attend|a des questions sur] {code1}, [qui s'en occupe ?|je l'appelle {when}.]
        Les chiffres [du tableau {1..9}|de {month}] [sont faux|sont bons|manquent encore].
        La facture {#5} de {price} est [en attente|payée|partie à la compta].
        Je suis [en congé|en déplacement|en télétravail] {when}, {any} me remplace.
        [L'ascenseur|Le chauffage|L'imprimante] [sera réparé {when}|est en panne|remarche].
        Il faut commander {2..40} {goods}, remise de {3..15} %.
    """),
    "reply": lines("""
        [Oui, parfait|D'accord|Ça marche|Désolé, non|Je m'en occupe|Merci|Bien reçu|C'est fait][, à {day}|.|!]
        [Et si on disait|Plutôt] {when} ?
        [Pardon, j'avais oublié|Je demande à {any}|Le total devrait être {3..900}|Voir ici : {link}|Qui a {document} ?]
    """),
    "stranger_subject": lines("""
        [Votre annonce|Candidature|Réunion de parents|Rendez-vous {when}|Demande|Devis {#5}|Relevé des compteurs|Objet trouvé]
    """),
    "stranger": lines("""
        [L'appartement|Le vélo|Le piano|L'armoire] est-il encore disponible ? Je peux passer {when}.
        Votre rendez-vous est {when} à {8..17} h, apportez [la carte|une pièce d'identité|le dossier].
        Je me permets de poser ma candidature comme [comptable|technicien|infirmière|jardinier], [CV joint|libre en {month}].
        La classe part {when} au musée, [prévoir {price}|n'oubliez pas le pique-nique].
        Les compteurs seront [relevés|changés] {when} entre {7..11} h et {12..17} h.
        Nous vous proposons {2..40} {goods} à {price} [pièce|livrés|pose comprise].
        J'ai eu votre adresse par {any}, [de la chorale|votre collègue|votre voisin].
        Merci de [confirmer|répondre] avant {day}.
    """),
    "news_subject": lines("""
        [Jusqu'à -{20..70} %|-{10..60} %|Soldes|Dernière chance|Nouveau|Seulement {day}] : {goods}[ !| dès {price}|]
        [Votre bon d'achat|Vos points|Lettre n° {1..52}|Des avantages pour {to}][ !|]
    """),
    "news": lines("""
        {when}, profitez de -{10..70} % sur [les|nos] {goods}[ et {goods}|][.| !]
        Code {*6} : [{price} de remise|livraison offerte|valable jusqu'à {day}].
        Plus que {3..90} [pièces|exemplaires] [à ce prix|en stock], [faites vite|commandez] !
        Nouveau : {goods} [dès {price}|fabriqués à {town}|en plusieurs couleurs].
        Vous avez {100..4900} points, [soit {price}|valables jusqu'en {month}].
        [Livraison gratuite|Retour gratuit] dès {price} d'achat.
        [Gagnez|Découvrez] {gadget} [d'une valeur de {price}|signé {brand}].
        Notre guide : {3..12} conseils pour choisir vos {goods}.
    """),
    "offer": lines("""
        {^goods} [dès|à|maintenant] {price}
        {brand} [Classic|Pro|Mini] - {price} [au lieu de {price}|]
    """),
    "receipt_subject": lines("""
        [Votre commande|Facture|Confirmation|Expédition|Votre billet|Paiement reçu] {#7}
    """),
    "receipt": lines("""
        [Merci pour|Nous confirmons] votre [commande|paiement|réservation] [{#7}|de {price}].
        [Votre colis|L'envoi] [est en route|arrive {when}|vous attend] : {link}
        [Payé par|Paiement :] [carte {#4}|virement|prélèvement], [dont TVA|frais de port] {price}.
        La facture [est jointe|se trouve dans votre compte].
        Une question ? [Répondez à ce message|Numéro client {#6}|Retour possible {14..60} jours].
    """),
    "notice_subject": lines("""
        [Nouvelle connexion|Votre code {#6}|Mot de passe|Votre relevé|Maintenance {when}|Nouvelles conditions|Confirmez votre adresse]
    """),
    "notice": lines("""
        Votre code est {#6}, valable {5..30} minutes.
        Nouvelle connexion depuis {town} {when}. [Ce n'était pas vous ?|Un doute ?] {link}
        Pour changer le mot de passe, [suivez ce lien|le lien sert une fois] : {link}
        Votre relevé de {month} est [disponible|en ligne].
        Nous ne demandons jamais [votre mot de passe|votre code] par e-mail.
        Service interrompu {when} de {1..5} h à {6..9} h.
    """),
    "pharma_subject": lines("""
        [{drug} sans ordonnance|{drug} -{20..90} %|Maigrir en {2..6} semaines|Plus de virilité|Pilules dès {price}][ !|]
    """),
    "pharma": lines("""
        {drug} [sans ordonnance|discret|original] dès {price} [la boîte|avec pilules offertes].
        [Perdez {4..30} kilos|Dormez mieux|Finies les douleurs] avec {drug}, [sans sport|garanti|remboursé].
        [Les médecins s'étonnent|On vous le cache] : [cette racine|cette astuce] agit en {2..9} jours.
        [Envoi discret|Emballage neutre|Livraison express] en {2..9} jours.
    """),
    "invest_subject": lines("""
        [{gain} avec {coin}|{coin} explose|Les banques détestent|Votre solde {price}|Gagnez depuis chez vous][ !|]
    """),
    "invest": lines("""
        Avec {coin} [vous gagnez|{any} de {town} gagne] {gain}[, sans risque|].
        [Déposez {price}|Commencez avec {price}] et [retirez|touchez] {gain} [chaque jour|après {2..30} jours].
        [Le robot|Le logiciel] [travaille|investit] pour vous [jour et nuit|tout seul].
        [Plus que {3..60} places|Votre compte expire {when}|Prêt rapide à {1..4} % sans justificatif].
    """),
    "date_subject": lines("""
        [{any} ({19..39} ans)|{any} veut te voir|Célibataires à {town}|Coucou toi|Ma photo]
    """),
    "date": lines("""
        Je m'appelle {any}, {19..39} ans, [seule|nouvelle à {town}|douce] et [je cherche un homme|j'ai vu ton profil].
        [Mes photos|Regarde-moi] ici : {link}
        {2..90} femmes [à {town}|près de toi] [attendent|sont en ligne], [inscription gratuite|écris vite].
        [Réponds-moi|Écris-moi] [ce soir|vite], [sans prise de tête|j'attends].
    """),
    "parcel_subject": lines("""
        [Votre colis|Envoi {#9}|Livraison] [en attente|n'a pas pu être livré|bloqué|: {price} à payer]
    """),
    "parcel": lines("""
        Votre colis {*8} [n'a pas pu être livré|est bloqué en douane|attend au dépôt].
        [Réglez|Il manque] {price} de [frais|taxe][ avant {day}|, sinon il repart].
        [Le numéro de rue|Votre adresse] est [incomplet|faux], [corrigez|vérifiez] : {link}
        [Choisir une date|Suivre le colis] : {link}
    """),
    "bank_subject": lines("""
        [Votre compte|Votre carte|Votre accès] [est bloqué|est limité|doit être confirmé|expire]
        [Message important|Alerte de sécurité|Nouveau message|Remboursement {price}|Carte vitale : mise à jour]
    """),
    "bank": lines("""
        [Nous avons détecté|Notre système signale] [des paiements|des accès] inhabituels [sur votre compte|depuis {town}].
        [Par sécurité|Selon la nouvelle directive], [votre accès est bloqué|la carte {#4} est limitée].
        Veuillez confirmer [vos données|votre compte|votre numéro] [sous {12..72} heures|avant {day}] : {link}
        [Sinon|À défaut], [le compte sera fermé|des frais de {price} s'appliquent].
        Un remboursement de {price} vous attend, [indiquez votre carte|remplissez le formulaire].
    """),
    "bill_subject": lines("""
        [Facture|Relance|Dernier rappel|Bon de commande|Mise en demeure|Virement] {#6}
    """),
    "bill": lines("""
        [Ci-joint|Veuillez trouver] [la facture impayée|notre relance|la preuve de paiement] {#6} de {price}.
        [Merci de régler|Payez] [avant {day}|sans délai], sinon [un huissier suivra|des frais s'ajoutent].
        [Le mot de passe du fichier|Code du fichier] : {#4}. [Activez les macros|Autorisez la modification].
        Nos coordonnées bancaires [ont changé|sont nouvelles], [voir facture|notez-le].
    """),
    "bec_subject": lines("""
        [Disponible ?|Urgent|Demande|Confidentiel|Virement|Nouveau RIB|{to}]
    """),
    "bec": lines("""
        [Êtes-vous au bureau|Tu es là] ? [J'ai besoin d'un service|C'est urgent|Répondez par mail seulement].
        Je suis en [réunion|conférence] et ne peux pas téléphoner.
        [Il faut virer|Merci de payer] {price} [à un nouveau fournisseur|aujourd'hui], [RIB à suivre|cela reste entre nous].
        [Achetez|Prends] {3..12} cartes cadeaux et [envoyez les codes|envoie les photos].
    """),
    "fee_subject": lines("""
        [Proposition|Héritage|Don de {big}|Demande confidentielle|Vous avez gagné]
    """),
    "fee": lines("""
        Je suis [Maître|le docteur|la veuve] {any}, [de Côte d'Ivoire|du Bénin|à Londres], et je [cherche votre aide|vous fais confiance].
        Mon [client|mari] est [mort|décédé] en laissant {big}, [sans héritier|dans une banque].
        Vous [garderez|recevrez] {20..50} %, [tout est légal|sans risque|que Dieu vous bénisse].
        Envoyez [nom|adresse], téléphone et [compte|passeport] à {address2}.
        Il suffit de régler [les frais|la taxe] de {price}.
    """),
    "win_subject": lines("""
        [Félicitations|Vous avez gagné|Votre cadeau|Sondage : {price}][ !|, {to} !]
    """),
    "win": lines("""
        Vous êtes [sélectionné|tiré au sort] : {gadget} [offert|d'une valeur de {price}].
        Répondez à {2..9} questions[ et c'est à vous|].
        Plus que [{2..12} heures|aujourd'hui], [port {1..3}.95 €|confirmez l'adresse].
    """),
    "click": words("""Cliquez ici,Commander,Voir l'offre,En savoir plus,Vérifier,Se connecter,Confirmer,Découvrir,
        Continuer"""),
    "unsubscribe": lines("""
        [Se désabonner|Ne plus recevoir nos messages][ : {link}| ici|]
        {company}, {2..99} [rue du Port|place du Marché], {town}
    """),
}
