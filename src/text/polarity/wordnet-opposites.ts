/*!
 * Antonyms from WordNet 3.1: single words in common use, without pairs that a prefix gives away and without pairs of operations
 * that go together (import and export).
 *
 * This software and database is being provided to you, the LICENSEE, by Princeton University under the following
 * license.  By obtaining, using and/or copying this software and database, you agree that you have read,
 * understood, and will comply with these terms and conditions:
 *
 * Permission to use, copy, modify and distribute this software and database and its documentation for any purpose
 * and without fee or royalty is hereby granted, provided that you agree to comply with the following copyright
 * notice and statements, including the disclaimer, and that the same appear on ALL copies of the software,
 * database and documentation, including modifications that you make for internal use or for distribution.
 *
 * WordNet 3.1 Copyright 2011 by Princeton University.  All rights reserved.
 *
 * THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES,
 * EXPRESS OR IMPLIED.  BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR
 * WARRANTIES OF MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE,
 * DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
 *
 * The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to
 * distribution of the software and/or database.  Title to copyright in this software, database and any associated
 * documentation shall at all times remain with Princeton University and LICENSEE agrees to preserve same.
 */

/** Adjectives and adverbs: denying one comes close to claiming the other ("not safe", "dangerous"). */
export const EXACT_OPPOSITES = `
abnormal/normal above/below absent/present absolute/relative abstract/concrete abundant/scarce
accidentally/deliberately active/dormant active/passive active/quiet actively/passively actual/potential
acute/chronic adopted/native aerobic/anaerobic ahead/back alive/dead alternate/opposite amicable/hostile
ample/meager analytic/synthetic angular/rounded anhydrous/hydrous annual/perennial antagonistic/conciliatory
antagonistic/synergistic antecedent/subsequent anterior/posterior antiseptic/septic artificial/natural
artificially/naturally ascending/descending asleep/awake asymmetrically/symmetrically atrophied/hypertrophied
attached/detached attractive/repulsive atypical/typical automatic/manual away/home awkward/graceful back/front
backward/forward bad/good badly/well bare/covered basic/incidental beautiful/ugly best/worst better/worse big/little
big/small black/white blessed/cursed bloodless/bloody bold/timid bottom/top bound/free brave/cowardly
breathing/breathless bright/dull broadly/narrowly busy/idle calm/stormy capitalistic/socialistic central/peripheral
centrally/peripherally cerebral/emotional cheap/expensive civilian/military clean/dirty clear/cloudy clear/opaque
clearheaded/confused close/distant closed/open closing/opening coarse/fine coarsely/finely cold/hot
collective/distributive common/individual compact/loose complex/simple compound/simple con/pro concave/convex
confident/diffident conservative/liberal consonantal/vocalic constructive/destructive continental/intercontinental
continual/sporadic cool/warm covertly/overtly crooked/straight curly/straight curved/straight dangerous/safe
dark/light dead/live declarative/interrogative decreasing/increasing deep/shallow defensive/offensive
delicate/rugged destroyed/preserved different/same difficult/easy diligent/negligent direct/inverse
disabling/enabling distal/proximal divided/united docile/stubborn dominant/subordinate
domineering/submissive double/single down/up downstairs/upstairs downtown/uptown downward/upward
dramatic/lyric dry/wet dull/lively dull/sharp early/late east/west eastern/western empirical/theoretical
empirically/theoretically empty/full even/odd evil/good exclusive/inclusive explicit/implicit extensive/intensive
exterior/interior external/internal extraordinary/ordinary fair/foul falling/rising false/true familiar/strange
fancy/plain far/near fast/slow fat/thin few/many fewer/more
figurative/literal figuratively/literally first/last flat/natural flat/sharp following/leading foolish/wise
foreign/native former/latter forte/piano forward/reverse fractional/whole frail/robust fresh/preserved fresh/salty
fresh/stale friendly/hostile frivolous/serious functional/organic future/past gaseous/liquid gaseous/solid
general/local general/specific generally/specifically geographic/magnetic glad/sad gradual/steep gradual/sudden
greater/lesser green/ripe gross/net guilty/innocent hairless/hairy half/whole happily/sadly hard/soft hardened/soft
headed/headless heavily/lightly heavy/light hesitantly/unhesitatingly heterogeneous/homogeneous
heterozygous/homozygous high/low hollow/solid horizontal/inclined horizontal/vertical humble/proud hungry/thirsty
hydrophilic/hydrophobic ill/well inclined/vertical incoming/outgoing indoor/outdoor indoors/outdoors
induced/spontaneous inferior/superior inner/outer inside/outside instrumental/vocal integrated/segregated
intense/mild interdepartmental/intradepartmental intermediate/terminal international/national inward/outward
inwardly/outwardly joint/separate junior/senior large/small lax/tense lean/rich least/most left/right less/more
linear/planar liquid/solid local/national long/short loose/tight loud/soft loudly/softly lowered/raised
lowland/upland major/minor maximal/minimal maximum/minimum mental/physical moving/still
multilateral/unilateral multiple/single multiply/singly naive/sophisticated narrow/wide nasty/nice natural/sharp
natural/supernatural negative/positive new/old new/worn noisily/quietly noisy/quiet nominal/real north/south
northern/southern numerical/verbal objective/subjective oblique/parallel off/on offshore/onshore often/rarely
old/young oleophilic/oleophobic open/shut optimistic/pessimistic out/safe partly/wholly past/present
permanently/temporarily poor/rich postwar/prewar preceding/succeeding primarily/secondarily primary/secondary
private/public privately/publicly privileged/underprivileged profane/sacred profound/superficial
prospective/retrospective proximate/ultimate qualitative/quantitative quickly/slowly relaxed/tense right/wrong
right/wrongly rough/smooth round/square running/standing rural/urban seated/standing short/tall smart/stupid
sour/sweet sparkling/still spoken/written strong/weak strongly/weakly subsurface/surface tame/wild tender/tough
thick/thin thickly/thinly thrifty/wasteful valuable/worthless vernal/wintry waning/waxing`

/** Nouns and verbs: they exclude each other, but there is a third way ("not sitting" is not "standing"). */
export const CONTRARY_WORDS = `
abolish/establish absence/presence absorb/emit abstain/consume abundance/scarcity accelerate/decelerate
acceleration/deceleration accept/refuse accept/reject acceptance/rejection acquaintance/stranger acquit/convict
act/refrain add/subtract admit/deny admit/exclude admit/reject adult/juvenile advance/back advance/recede
advance/retreat affirmation/reversal aged/young agitate/calm agitation/calmness allow/deny amateur/professional
analysis/synthesis analyze/synthesize ancestor/descendant anode/cathode applaud/boo
appreciation/depreciation arrive/leave ascend/descend assent/dissent asset/liability asymmetry/symmetry
attach/detach attack/defend attend/miss attract/repel attraction/repulsion avoid/confront
badness/goodness beauty/ugliness begin/end beginning/end beginning/ending bend/straighten
better/worsen birth/death blacken/whiten bless/curse blur/focus boil/freeze boldness/timidity bore/interest
borrow/lend boycott/patronize brave/timid break/keep break/make break/repair brighten/darken buy/sell capitalism/socialism cash/credit change/stay cheer/complain claim/forfeit clarity/obscurity
clergy/laity clergyman/layman close/open coldness/hotness come/go comedy/tragedy communicate/excommunicate
competition/cooperation complexity/simplicity complicate/simplify conceit/humility concentration/dilution
concentration/distribution conception/misconception confine/free conform/deviate consonant/vowel
construction/misconstruction contract/expand contraction/expansion converge/diverge correct/falsify
courage/cowardice criticize/praise cry/laugh danger/safety darken/lighten day/night dead/living
deaden/enliven decline/improvement decrease/increase defeat/victory defend/prosecute defense/offense
defense/prosecution deficit/lead delay/rush demand/supply demote/promote depart/stay deposit/withdraw depress/elate
depression/elation deprive/enrich despair/hope differ/equal difference/sameness differentiate/integrate
difficulty/ease disable/enable discharge/enlist discourage/encourage dislike/liking dissuade/persuade divest/invest
divide/multiply divide/unite downgrade/upgrade dryness/wetness dull/sharpen ebb/tide employee/employer
emptiness/fullness empty/fill enforce/exempt enjoy/suffer enter/exit erase/record exclude/include extinguish/ignite fail/manage fail/pass fail/succeed failure/success fall/rise falsity/truth feed/starve femininity/masculinity find/lose finish/start fire/hire flatten/sharpen float/sink foe/friend
follow/precede follower/leader folly/wisdom foot/head forbid/permit forget/mind forget/remember free/obstruct
front/rear gain/loss gain/reduce gather/spread general/particular generalist/specialist generalize/specify give/take
guilt/innocence happiness/sadness harden/soften hate/love head/rear heaven/hell hide/show hit/miss
hollowness/solidity host/parasite humility/pride idle/run idle/work ignore/know ignore/notice
inferiority/superiority infield/outfield inflow/outflow intelligence/stupidity irritate/soothe joy/sorrow keep/lose
lengthen/shorten level/raise lie/sit lie/stand linger/rush loosen/stiffen lose/profit lose/win
loser/winner lower/raise majority/minority maximize/minimize mistrust/trust move/stay nadir/zenith
narrow/widen obscurity/prominence obverse/reverse optimism/pessimism overachievement/underachievement
overestimate/underestimate pain/pleasure particular/universal peace/war penalty/reward porosity/solidity
poverty/wealth precede/succeed profundity/superficiality purge/rehabilitate reassure/worry
relax/tense resist/surrender ride/walk roughen/smooth roughness/smoothness sedate/stimulate separation/union
sharpen/soften sharpness/softness shout/whisper shrink/stretch silence/sound sit/stand sleep/wake
stand/yield start/stop stifle/stimulate strength/weakness strengthen/weaken succumb/survive thicken/thin
thickness/thinness wane/wax worth/worthlessness`
