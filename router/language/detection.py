"""Detects the language of a sentence, one of four, by its small words; English where it is in doubt."""

import re
from typing import Literal

Language = Literal["en", "de", "fr", "es"]

_EN = """
the of and or is are was were be what which who how many much show list give me my we us our you your i in to into for
by from with w o without do does did have has had can could will would should please it this that these there them
they their where when why not no all any an a as at on so if plus yes yo only also last next than more most same but
now then again go see just get make write create put send add file chart revenue customers orders number total average
"""
_DE = """
der die das und oder ist sind war waren was welche welcher welches wer wie viele viel zeig zeige mir mich mein meine
wir uns unsere du dir bist ich im in am zu zum für nach vom von mit ohne haben habe hab hast hat hatten kann kannst will
möchte bitte es dies diese dieser dieses nicht kein keine keinen alle den dem ein eine einen einer pro je gab gibt
gib warum wo wann noch nur auch schon jetzt so über bei als mal an auf aus daraus letztes letzten letzte jahr jede jeden
heute gestern vorgestern seit bis ab lieber doch nein morgen statt stattdessen mach nimm schick schreib umsatz kunden
bestellungen anzahl
"""
_FR = """
le la les des du de d' l' j' n' c' qu' s' t' m' et ou est es sont suis était que quel quelle quels quelles qui quoi
combien montre moi toi mon ma mes ton ta tes nos notre nous vous je tu il elle ils on dans pour par avec sans avoir as
a ont avons peux peut pouvez puis veux voudrais ce cet cette ces ça pas ne plus moins tous toutes un une au aux où
quand pourquoi comment sur en si donne fais fait mets envoie dernière dernier année merci plutôt aussi chaque seulement
uniquement maintenant depuis hier avant plutôt hors pareil chiffre commandes ventes nombre
"""
_ES = """
el la los las del de y o es son era qué que cuál cuáles quién quiénes cuántos cuántas cuánto cuantos cuantas cómo
muestra muestrame me mi mis tu nosotros yo en para por con sin tiene tienen tengo hay hubo puedes puede puedo quiero
quisiera necesito quita este esta esto
desde hasta hoy ayer anteayer mejor estos estas eso ese esa no todo todos todas un una a al dónde cuándo porqué más
último última mismo misma año mes pasado pasada ya pero ahora solo sólo gracias favor dame haz lo nuestros también cada
lista nombre fecha pedidos ventas ingresos clientes número
"""
_NAMING = """
file chart revenue customers orders number total average year month umsatz kunden bestellungen anzahl jahr heute morgen
chiffre commandes ventes nombre année año mes lista fecha pedidos ventas ingresos clientes número
"""
_NOUNS = frozenset(_NAMING.split())
"""The words among them that a question can be about."""
_SMALL_WORDS: dict[Language, frozenset[str]] = {
    "en": frozenset(_EN.split()),
    "de": frozenset(_DE.split()),
    "fr": frozenset(_FR.split()),
    "es": frozenset(_ES.split()),
}
_MARKS: dict[Language, frozenset[str]] = {
    "de": frozenset("ßäöü"),
    "fr": frozenset("œçèêàùîô"),
    "es": frozenset("¿¡ñíóúá"),
}
_MARKED = 2
"""Small words that a letter counts for which only one of the languages has."""

_LANGUAGE_WORD = re.compile(r"\b(?:qu|[cdjlmnst])'|[^\W\d_]+")


def is_small_word(word: str) -> bool:
    """Tell whether a word, in lower case, is a small word of any language that names nothing."""
    return word not in _NOUNS and any(word in small for small in _SMALL_WORDS.values())


def language_of(text: str) -> Language:
    """Return the language that most small words are of; those of several languages count for each of them."""
    typed = text.lower().replace("’", "'")
    words, letters = _LANGUAGE_WORD.findall(typed), frozenset(typed)
    scores = {
        name: sum(word in small for word in words) + (_MARKED if letters & _MARKS.get(name, frozenset()) else 0)
        for name, small in _SMALL_WORDS.items()
    }
    return max(scores, key=lambda name: scores[name])
