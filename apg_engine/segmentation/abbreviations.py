"""Words whose full stop does not end a sentence, in English and Polish."""

from __future__ import annotations

from apg_engine.word_sets import word_set

# A stop after one of these never ends a sentence.
NEVER_FINAL = word_set("""
    dr mr mrs ms prof st sr jr gen col sgt capt lt rev hon gov sen rep pres mt
    eq eqs fig figs tab sec secs ch chap vol vols ed eds pp approx ca cf vs viz al
    e.g i.e eg ie resp incl excl max min avg est dept univ assn bros ph ph.d
    art ust pkt ul al pl os im św mgr inż hab dr.hab prof.dr płk gen kpt por ks
    np tzn tzw tj m.in ok ww wg zob por godz tys mln mld nr poz rys tab
    """)

# A stop after one of these ends nothing when a number follows: "no. 5", "p. 12", "nr. 3".
BEFORE_NUMBER = word_set("no nos nr p pp str s art pkt sec fig eq ch vol item para r")

# These may end a sentence: only where the next word can start one.
MAYBE_FINAL = word_set("inc ltd co corp w u.s u.k u.n e.u")

# These end a sentence before any capital letter: "w 2020 r. Potem".
FINAL_BEFORE_CAPITAL = word_set("etc p.m a.m itd itp r zł")

# Words that start a new sentence more often than they follow an initial or a title.
STARTERS = word_set("""
    the a an it its this that these those they he she we you i in on at by for from to with
    if when while after before because since however but and so as no not all each every both
    there here what who how why where our their his her my your one two three
    to ten ta ci te on ona ono oni my wy w z na po do od dla jeśli gdy kiedy jednak ale
    """)
