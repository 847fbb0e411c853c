/** Words that tell how something is said or that something is to be done, not what it is about. Topics are never named by them. */
export const COMMON_WORDS: ReadonlySet<string> = wordSet(
  // How English sentences are built, and what people say to an agent whatever it is about.
  `a able about above actually after again against ago all almost already alright also although always am an and
  another any anybody anymore anyone anything anyway apparently are arent around as ask asked asking at aware
  away back bad based basically be became because become been before began behind being below best better
  between bit both bring but by call called came can cannot cant case cases certain clear clearly come comes
  coming concern concerned consider correct correctly could couldnt couple current currently day days definitely
  described detail details did didnt differ different do does doesnt doing done dont double down during e each
  easier easily easy eg either else end ends enough entire entirely especially etc even ever every everyone
  everything exact exactly expect expected extra fact far few figure find fine first following follows for
  forward found four from full fully further gave general get gets getting give given gives go goes going gone
  gonna good got great guess had hadnt half happen happened happening happens hard has hasnt have havent having
  he hello help helpful her here hey hi him his hm hmm hope how however i id idea ie if ill im important in
  include including inside instead interesting into is isnt it its itself ive just keep kept kind knew know
  known large last later latest lead least left less let lets like likely little ll long longer look looked
  looking looks lot lots love low made mainly make makes making many may maybe me mean means meant mention
  mentioned middle might mine moment more most mostly much must my myself near need needed needs neither never
  new newest next nice no nobody non none nor not note nothing notice noticed now of off often oh ok okay old on
  once one ones only onto open or order other others otherwise ought our ours ourselves out over own part parts
  past people perfect perhaps piece place please plus point points possible possibly potential pretty probably
  proper properly put quick quickly quite rather re read ready real really reason recent recently regarding
  related right s said same saw say saying says second see seem seemed seems seen self send set several shall
  she short should shouldnt show showed showing shown shows similar simple simply since single situation six
  small so some somebody somehow someone something sometimes somewhere soon sorry sort sounds specific start
  started starting still stop stuff such suggest suggested suggestion sure t take taken takes taking talk talked
  talking tell tells ten than thank thanks that thats the their them themselves then there therefore theres
  these they theyre thing things think thinking third this those though thought three through thus time times to
  today together told tomorrow too took top toward towards tried tries true try trying turn two u under
  understand unless until up upon us use used useful uses using usual usually valid various ve very via view
  wait want wanted wants was wasnt way ways we week weeks well went were werent weve what whatever whats when
  whenever where whether which while who whole whom whose why will wish with within without wonder wondering
  wont word words worked working works worth would wouldnt wow wrong year years yep yes yesterday yet you your
  youre yours yourself ah feel huh necessary haha lol nah yeah tonight morning evening`,
  // What is asked of an agent with whatever it is about, and the parts of any program.
  `add added adding additional addressed addressing adjust allow allowed allows apply approach assume attached
  available avoid break breaking broke broken change changed changes changing check checked checking checks
  clean complete completed concise confirm contain contains context continue create created creates creating
  delete describe discuss discussed double draft edit ensure exist existing exists explore extend extract final
  finish finished fix fixed fixes fixing generate goal goals handle handled handling idea identify implement
  implementation implemented implementing implements improve improved improvement insert instructions
  investigate kinds leave level load local locally low main manage manually medium missing modify move moved
  multiple must needed objective out overview pass passed passing prevent print proceed propose provide provided
  purpose reads recheck refactor refactored refactoring remaining remove removed removes removing rename renamed
  repeat replace replaced require required requires resolve return returned returns rework run running runs save
  saved separate severity side single skip solution solve switch tasksummary thoughts todo track unexpected
  unnecessary updated updating validate verification verify verified was worked write writes writing written
  wrote`,
  // What programs write around a message.
  `arguments args bash caveat cwd directory interrupted local null png redacted reminder stderr stdin stdout
  subagent timestamp tmp true false undefined url urls`,
  // German, French, Spanish, Portuguese, Italian, Dutch: the same.
  `aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bist bitte da damit dann
  das dass dein deine dem den denn der des dich die dies diese dieser dieses dir doch dort du durch ein eine
  einem einen einer eines er es etwas euch für gegen gibt hab habe haben hast hat hatte hätte hier ich ihm ihn
  ihr ihre immer in ist ja jede jetzt kann kannst kein keine können könnte machen mache mal man mehr mein meine
  mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne schon sein seine sich sie sind so soll
  sollen sollte sondern über um und uns unser unter vom von vor war warum was weil wenn wer werden wie wieder
  wir wird wo wurde wäre zu zum zur zwischen datei fehler ändern ai au aux avec c ce ces cest cette ceux comme d
  dans de elle en est et fait faire faut il ils j je la le les leur lui l ma mais me mes moi mon même n ne nos
  notre nous on ou où par pas peut plus pour pourquoi qu quand que quel quelle qui quoi s sa sans se sera ses si
  son sont sur ta te tes toi ton tous tout très tu un une vos votre vous y été être al algo como con cual cuando
  del desde donde el ella entre era eres esta estaba estar este esto está están fue ha hace hacer hacia han
  hasta hay las lo los mas mi mis mucho muy más no o otra otro para pero por porque puede puedes quiero quien
  qué ser sin sobre solo su sus también tengo tiene todo todos tus una uno unos ya yo cómo ao aos até com dela
  dele do dos e ela ele em essa esse eu foi isso isto já meu minha muito na nas não num numa onde os pela pelo
  pode posso qual quando quem sem seu sua são só também tem tenho uma você agli alla anche che chi ci come cosa
  così dal dalla degli dei della delle di dove ed fare gli hai ho i io lei loro mia mio molto nel nella non per
  perché più puoi quale quello questa questo sei sono sta sul suo tra tutto vorrei è aan bij dan dat deze dit
  doen door een ge geen had heb hebben heeft het hij hoe hun ik is kan kunnen maar maken meer met mij mijn moet
  naar niet nog nu of om ook op over tot uit van voor waar wat we wel werd wij wil worden wordt ze zich zijn zo
  zou`,
)

/** Nearly every conversation of a programmer has them: alone they name nothing, beside another word they may ("lint errors"). */
export const WEAK_WORDS: ReadonlySet<string> = wordSet(
  `address agent agents behavior behaviour branch build bug claude code command commands comment comments commit commits content copy document error
  errors example fail failed failing fails failure failures feature features feedback field file files folder
  format function functions git github image input issue issues item items key line lines list log logic logs message
  messages method methods name number option options output page parameter path paths phase plan plans problem
  problems process project prompt question questions repo report repository request requirement requirements result results
  review script section session sessions setting settings setup source status step steps support system task
  tasks test tested testing tests text title tool tools type unit update updates usage user users validation
  value values version work`,
)

function wordSet(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.split(/\s+/)))
}
