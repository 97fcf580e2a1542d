"""Names of people, by language: first names, then family names."""

FIRST_AND_LAST_NAMES: dict[str, tuple[list[str], list[str]]] = {
    language: (first.split(), family.split())
    for language, first, family in (
        (
            "de",
            "Anna Björn Clara Dieter Eva Felix Greta Hannes Ingrid Jürgen Katrin Lukas Marlene Nils Petra Stefan Zoë",
            "Bauer Becker Böhm Fischer Günther Hofmann Keller König Krüger Lange Müller Neumann Richter Schäfer "
            "Schmidt Schröder Vogel Weiß",
        ),
        (
            "fr",
            "Amélie Benoît Chloé Didier Élodie François Gaëlle Hélène Inès Jérôme Léa Mathieu Noémie Océane Pierre Zoé",
            "Bernard Bonnet Chevalier D'Angelo Dubois Fontaine Garnier Girard L'Hôpital Lefèvre Mercier Moreau Perrin "
            "Renard Roussel Vidal",
        ),
        (
            "nl",
            "Anouk Bram Daan Emma Femke Jeroen Joost Lotte Maaike Pieter Roos Sanne Sven Thijs Willem Zoë",
            "Bakker Bos Brouwer Dekker Hendriks Hoekstra Jacobs Janssen Kuipers Meijer Mulder Peeters Smits Visser Vos",
        ),
        (
            "en",
            "Aoife Brendan Charlotte Declan Emily Fiona George Hannah Isaac Jack Karen Liam Megan Niamh Oliver Rachel "
            "Seán Thomas Victoria William",
            "Adams Baker Clarke Davies Evans Fletcher Green Harris Kavanagh Lewis McCarthy Murphy O'Brien O'Connor "
            "O'Neill Parker Quinn Reid Turner Walker",
        ),
        (
            "es",
            "Álvaro Begoña Carmen Diego Elena Francisco Íñigo Javier Lucía María Nuria Pablo Raúl Sofía Tomás Verónica",
            "Álvarez Castro Delgado Fernández García Gómez Hernández Iglesias Jiménez López Martínez Muñoz Núñez Ortiz "
            "Peña Rodríguez",
        ),
        (
            "it",
            "Alessia Bruno Chiara Davide Elisa Fabio Giulia Lorenzo Matteo Niccolò Paola Riccardo Sara Tommaso",
            "Bianchi Colombo Conti D'Amico De'Medici Esposito Ferrari Gallo Greco Mancini Marino Ricci Romano Russo",
        ),
        (
            "pl",
            "Agnieszka Błażej Ewa Grzegorz Jakub Katarzyna Łukasz Małgorzata Paweł Stanisław Wojciech Zofia",
            "Dąbrowska Jabłoński Kamińska Kowalczyk Król Lewandowski Mazur Nowak Piątek Szymańska Wiśniewski Wójcik",
        ),
        (
            "nordic",
            "Åsa Bjørn Elin Freja Gustav Håkon Ingrid Jens Kåre Linnéa Maja Nils Øyvind Rasmus Sigrid Søren",
            "Andersson Berg Dahl Eriksson Hansen Jørgensen Kristiansen Larsen Lindström Nilsson Nygård Olsen "
            "Østergaard Sjöberg Solberg Þórsson",
        ),
        (
            "ja",
            "美咲 翔太 さくら 大輔 陽子 健一 花子 拓也 結衣 蓮 直樹 真由美",
            "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 松本",
        ),
        ("he", "נועה דוד תמר יוסף שירה אורי מאיה איתן", "כהן לוי מזרחי פרץ ביטון אברהם פרידמן שפירא"),
        ("ar", "ليلى أحمد فاطمة يوسف مريم عمر نور خالد", "الحداد المنصوري العلي حسن النجار الهاشمي صالح القاسم"),
    )
}

SURNAME_FIRST = frozenset({"ja"})
