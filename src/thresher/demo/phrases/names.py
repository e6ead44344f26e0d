"""Names of people by language, as written and in the letters of an address; what companies and hosts are made of."""

_LATIN = {
    "en": (
        "Alice Ben Chloe Daniel Emma Frank Grace Henry Iris Jack Kate Liam Megan Noah Olivia Peter Quentin Rose Sam Tess Una Victor Wendy Zoe Arthur Beth Colin Diana Ethan Fiona George Hannah Ian Judith Keith Laura Martin Nina Oscar",
        "Ashdown Barlow Carver Dunmore Eastman Fairley Garside Holloway Ingram Jessop Kenyon Larkin Marlow Norwood Oakley Pemberton Quinn Redfern Sutcliffe Thornley Underhill Varley Whitlock Yardley Birch Cobb Drake Ellery Frost Gale",
    ),
    "de": (
        "Anna Bernd Clara Dieter Elke Florian Greta Hannes Ingrid Jonas Katrin Lukas Martina Niklas Oskar Petra Ralf Silke Thomas Ute Volker Wiebke Jörg Käthe Günter Bärbel",
        "Ackermann Brandt Dietrich Ebner Falk Gruber Hofmann Jansen Keller Lorenz Müller Neumann Ott Pfeiffer Richter Schäfer Thoma Ulrich Vogt Weiß Zöller Bäcker Krüger Löffler",
    ),
    "fr": (
        "Adèle Benoît Claire David Estelle François Geneviève Hugo Isabelle Jérôme Karine Laurent Manon Nicolas Océane Pierre Quitterie Romain Sophie Théo Valérie Yann",
        "Arnaud Blanchet Carpentier Delorme Estève Fournier Garnier Hébert Joubert Lacombe Mercier Noël Perrin Renaud Sabatier Tessier Vasseur Béranger Lefèvre",
    ),
    "es": (
        "Ana Beatriz Carlos Dolores Esteban Fernanda Gonzalo Inés Jorge Lucía Marcos Natalia Pablo Rocío Sergio Teresa Víctor Ximena Álvaro Belén",
        "Alonso Benítez Castillo Domínguez Esquivel Fuentes Gallego Herrera Ibáñez Luque Molina Navarro Ortega Peña Quiroga Rivas Sáez Torrente Vidal Zamora",
    ),
    "it": (
        "Alessia Bruno Carla Davide Elena Franco Gaia Ivo Lorenzo Matteo Nadia Orsola Pietro Roberta Simone Teresa Ugo Valentina Niccolò Zita",
        "Amato Bellini Colombo De-Luca Esposito Ferrari Gallo Lombardi Marini Negri Orlando Parisi Rinaldi Santoro Testa Vitale Zanetti Bianco",
    ),
    "pt": (
        "Adriana Bruno Carolina Diogo Elisa Fábio Gabriela Hélder Isabel Jorge Leonor Mário Natércia Paulo Raquel Sérgio Teresa Vasco Antónia",
        "Almeida Barros Cardoso Dias Esteves Figueiredo Gonçalves Lopes Magalhães Nogueira Oliveira Pires Quintela Ribeiro Simões Teixeira Vaz",
    ),
}

_OTHER = {
    "ru": (
        "Анна:anna Борис:boris Вера:vera Григорий:grigory Дмитрий:dmitry Елена:elena Игорь:igor Ксения:ksenia Леонид:leonid Марина:marina Никита:nikita Ольга:olga Роман:roman Светлана:sveta Юрий:yury Татьяна:tanya",
        "Белов:belov Громов:gromov Зайцев:zaitsev Калинин:kalinin Лебедь:lebed Морозов:morozov Орлов:orlov Рыбак:rybak Соколов:sokolov Титов:titov Ушаков:ushakov Чайка:chaika",
    ),
    "el": (
        "Αλέξης:alexis Βάσω:vaso Γιάννης:giannis Δανάη:danai Ειρήνη:irini Θανάσης:thanasis Κατερίνα:katerina Μιχάλης:michalis Νίκος:nikos Παναγιώτα:panagiota Στέλιος:stelios Χριστίνα:christina",
        "Αγγέλου:angelou Βλάχος:vlachos Δήμου:dimou Καρράς:karras Λάμπρου:lambrou Μαρίνος:marinos Νικολάου:nikolaou Ρήγας:rigas",
    ),
    "ja": (
        "健太:kenta 由美:yumi 浩二:koji 直美:naomi 翔:sho 恵:megumi 拓也:takuya 陽介:yosuke 千尋:chihiro 誠:makoto 葵:aoi",
        "青木:aoki 石田:ishida 上野:ueno 岡本:okamoto 加藤:kato 木村:kimura 佐野:sano 高橋:takahashi 中川:nakagawa 林:hayashi",
    ),
    "zh": (
        "海涛:haitao 丽娜:lina 志强:zhiqiang 雨晴:yuqing 建国:jianguo 秀英:xiuying 文博:wenbo 佳怡:jiayi 子涵:zihan",
        "陈:chen 李:li 王:wang 张:zhang 刘:liu 赵:zhao 吴:wu 周:zhou 孙:sun 林:lin",
    ),
    "zh_hant": (
        "淑芬:shufen 志明:zhiming 美玲:meiling 家豪:jiahao 雅婷:yating 俊宏:junhong 怡君:yijun",
        "陳:chen 黃:huang 張:zhang 劉:liu 趙:zhao 吳:wu 鄭:zheng 許:hsu",
    ),
    "ar": (
        "أحمد:ahmad فاطمة:fatima يوسف:yusuf ليلى:layla عمر:omar مريم:maryam خالد:khaled سلمى:salma طارق:tariq هدى:huda",
        "حداد:haddad نجار:najjar منصور:mansour صالح:saleh خوري:khoury سليم:salim عباس:abbas زيدان:zidan",
    ),
}

Name = tuple[str, str]
"""A name as written and in lower-case ASCII."""

_PLAIN = str.maketrans("äöüßéèêëàâáåçñíîïóôõòúûùãìøýÄÖÜÉÁÍÓÚÀ", "aouseeeeaaaacniiioooouuuaioyaoueaioua")


def _latin(text: str) -> tuple[Name, ...]:
    return tuple((name.replace("-", " "), name.lower().translate(_PLAIN).replace("-", "")) for name in text.split())


def _other(text: str) -> tuple[Name, ...]:
    pairs = (pair.partition(":") for pair in text.split())
    return tuple((written, plain) for written, _, plain in pairs)


GIVEN: dict[str, tuple[Name, ...]] = {
    **{code: _latin(given) for code, (given, _) in _LATIN.items()},
    **{code: _other(given) for code, (given, _) in _OTHER.items()},
}
FAMILY: dict[str, tuple[Name, ...]] = {
    **{code: _latin(family) for code, (_, family) in _LATIN.items()},
    **{code: _other(family) for code, (_, family) in _OTHER.items()},
}
FAMILY_FIRST = frozenset({"ja", "zh", "zh_hant"})
"""Languages whose full names begin with the family's."""
NO_SPACE = frozenset({"zh", "zh_hant"})


def _list(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FREE_HOSTS = _list("""postbox.example inmail.example example.com freemail.example example.net quickmail.test mailhub.example
    example.org letterbox.test webpost.example""")
"""Where anybody has an address, honest or not."""
FREE_SENDERS = _list("sendwell.example mailjetty.example campaignkit.test newsrelay.example postrun.example")
"""Providers who mail for companies, honest or not."""

SYLLABLES = _list("""al an bel ber bo bra cal can cor dal de den di dor el em en fa fen fi fo gal ge go har he hol in is ja jo
    ka kel ko la lan le lin lo lu ma mar me mi mon na nel ni no nor o or pa pel per po qui ra ren ri ro ros sa sel si sol ta
    tel ti tor tu ul va vel vi vo wen wil ya za zen""")
ENDINGS = _list("a o ia en el is on us ix ora eta ano ini ell ard ett ley ton ford")
TRADES = _list("shop store online direct group mail services market works systems")
COLOURS = _list("0a66c2 1f7a4d b3261e 5b2a86 e07b00 222222 00707a c2185b 3f51b5 6d4c41")
