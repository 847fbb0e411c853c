/** Words that may stand for each other in most statements, in groups; a word may be in several. */

/** What is the opposite of one of these is the opposite of the others as well. */
export const CLOSE_SYNONYMS = `
delete remove erase|keep retain|create make|begin start commence launch|end finish complete|succeed successful|fix repair mend|error mistake|fast quick rapid swift
quickly rapidly swiftly fast|slow sluggish|big large huge great|small little tiny|show display|store save persist|retrieve fetch
choose select pick|happen occur|require need demand|allow permit|prohibit forbid ban disallow|prevent block|broken faulty|shut close
modify change alter|verify check|folder directory|setting option|argument parameter|whole entire|correct right|wrong incorrect
important crucial significant|easy simple|hard difficult|help assist|answer reply respond|ask request|build construct|buy purchase
child kid|woman lady|man guy bloke male|boy lad|mother mom mum|father dad|baby infant|person human|picture photo photograph image|film movie
road street|path track trail|beside near next close|rock stone|ocean sea|beach shore seashore|forest wood woods|grass lawn|hill hillside
dog hound|rabbit bunny|monkey chimp|airplane aircraft plane|bike bicycle|motorbike motorcycle|car automobile vehicle|sofa couch|shop store
speak talk chat|look watch stare|cut slice chop dice|jump leap|fight battle wrestle|pan skillet|hit strike knock|rope cord|hat cap
outdoors outside|indoors inside|shirt top|throw toss hurl|chase pursue|rest relax|gather assemble|walk stroll pace hike|run sprint
eat devour|mix stir blend|scare frighten|place put|marriage wedding|careful cautious|carefully cautiously|sunglasses shades|step stair
sick ill|happy glad pleased delighted|angry mad|smart clever|rich wealthy|strange odd weird|sure certain|sad unhappy|same identical equal
config configuration|repo repository|db database|env environment|docs documentation|param parameter|arg argument|dir directory folder
var variable|func fn function|async asynchronous|sync synchronous|msg message|err error|deps dependencies|prod production|dev development
smile grin|laugh giggle|cry weep|shout yell scream|pull drag tow|push shove|climb scale|wander roam|ride drive|couple pair|lake pond
river stream creek|coat jacket|pants trousers|shoe sneaker|cup mug|plate dish|knife blade|garbage trash|bag sack|house home
trick stunt|compete race|spectator onlooker|cyclist bicyclist biker|sidewalk pavement|dirt mud|dirty muddy|cook prepare|gaze stare`

/** The same for reading, and no more: their opposites are not the same. */
export const LOOSE_SYNONYMS = `
break fail|injure hurt|fine okay|quit resign|jog trot|superfluous redundant unnecessary unneeded|millisecond ms|second sec|minute min mins|kilobyte kb|megabyte mb|gigabyte gb|store keep
required mandatory compulsory obligatory necessary needed|optional voluntary|forbidden prohibited banned
sync synchronize|halt stop cease|terminate end|kill terminate|abort cancel|discard drop|strip remove|duplicate copy
clone copy|rename retitle|obtain get receive|send transmit|submit send|emit produce|generate produce|compute calculate
evaluate assess|examine inspect|execute run|invoke call|trigger cause|raise throw|restart reboot|replace substitute swap
convert transform|translate convert
purge clear|empty clear|flush clear|wipe clear erase|reset clear|expose reveal
conceal hide|wrap enclose|contain include|comprise contain|possess have own|employ use utilize apply|adopt use
ensure guarantee assure|confirm verify|validate verify check|detect notice discover find|spot notice|locate find|search seek look
wait await|pause wait|delay postpone|defer postpone|resume continue|proceed continue|permit allow let|grant give
supply provide furnish|offer provide|accept take|decline reject refuse|deny refuse|obsolete outdated|deprecated obsolete
latest newest|previous former prior|entire complete full total|alike similar|distinct different|various several|numerous many
multiple several many|rapid quick fast speedy|speedily quickly|slowly gradually|immediately instantly|instantly directly
frequently often|usually normally generally|mostly mainly chiefly primarily largely|roughly approximately|nearly almost
merely only|additionally also|precisely exactly accurately|correctly properly|silently quietly|loudly noisily
carefully attentively closely|happily cheerfully joyfully gladly|folder dir|bug defect|issue problem|glitch bug|fault error
exception error|passphrase password|feature functionality|component part|portion part|section part|element item|entry item
task job|chore task|step stage phase|quantity amount|total sum|maximum max|minimum min|range span|threshold limit|purpose aim goal
aim target|method procedure|approach method way|technique method|manner way|style fashion|kind sort type|example instance sample
copy replica|summary overview|comment remark note|description explanation|reference mention|content contents|text wording
title heading|connection link|network net|internet web|website site|webpage page|screen display monitor|button control
dialog popup|dropdown menu|attorney lawyer|teacher instructor|student pupil|worker employee|author writer|owner proprietor
boss chief|cop policeman officer|adult grownup|teen teenager adolescent|toddler tot|girl lass|gentleman man|gentlewoman lady
crowd throng|audience spectators viewers|spectator viewer watcher observer looker onlooker|athlete sportsman|musician player
biker motorcyclist|jockey rider|soldier trooper|young little youthful|tall high|huge enormous giant gigantic massive
elderly old aged|slim thin slender|fat chubby|blond blonde|crimson red|golden gold|wooden wood|metallic metal
colorful multicolored|shiny glossy bright|dark dim|bare naked nude|barefoot shoeless|shirtless topless|furry hairy fuzzy
wet damp soaked|dry arid|cold chilly|calm peaceful|quiet silent still|empty vacant|crowded packed|beautiful pretty lovely
ugly hideous|funny amusing|humorously funnily|clean tidy|rough rugged|rocky stony|snowy snow|sandy sand|grassy grass|sunny sun
muddy mud|dusty dust|hilly hill|icy ice|wooded woods forest|food meal|dinner supper|bread loaf|prawn shrimp|capsicum pepper
pasta noodles|soda pop|liquid fluid|drink beverage|chef cook|peel skin|crack break|smash break|spread smear|dip dunk
sprinkle scatter|wash rinse clean|devour consume|chew munch|bite nibble|gun pistol handgun weapon|sword blade|rod pole stick
timber wood|board plank panel|suitcase luggage|purse handbag bag|basket hamper|bottle flask|bucket pail|tin can|instrument tool
device gadget apparatus|machine device|equipment gear|phone telephone cellphone|television tv|photographer cameraman
newspaper paper|magazine journal|book novel|letter note|sketch drawing|draw sketch|picture painting|sign signboard|banner flag
light lamp|candle taper|sofa lounge settee|bed cot|rug carpet mat|clothes clothing apparel garments attire outfit
jumper sweater pullover|gown dress|robe gown|helmet headgear|glove mitt|scarf shawl|goggles glasses|spectacles glasses
fur coat hair|hog pig swine|reindeer caribou|pond pool|pool puddle|brook stream|waterfall falls|shore coast bank seaside
island isle|cliff bluff|slope ramp|grass turf|dirt soil earth|terrain landscape|land terrain|area region zone|place spot location
town city|village hamlet|building structure construction|gym gymnasium|stage platform podium|road highway route|path way
alley lane|corner bend|bridge overpass|stairs steps staircase|rail railing|hurdle barrier obstacle|roof rooftop|ceiling roof
sled sleigh sledge|cart wagon|scooter moped|bicycle cycle|skate skateboard|stride walk|trek hike|run jog dash|crawl creep
climb ascend|descend fall|bounce jump|hop jump|skip hop|leap spring|float drift|soar fly|glide slide|slide slip|roll tumble
spin twirl rotate turn|turn rotate|swing dangle|dangle hang|hang suspend|sway swing|shake rattle|wave flap|bend bow|crouch squat
lean incline|lie recline rest|pose model|wake awaken|lift raise hoist|bring fetch|grab seize grasp clutch|grip hold grasp
kiss peck|pat tap|stroke pet|touch feel|rub scratch|tickle tease|poke jab|punch hit|beat hit|whack hit|slap smack|push press
tug pull|yank pull jerk|haul drag|toss pitch fling|catch grab|shoot fire|pursue follow|flee escape|defend guard protect
wrestle grapple|fight brawl|study examine|stare look|gaze look|peer look|glance look|view watch see|observe watch|listen hear
sing chant|hum sing|shout cry|scream cry|whisper murmur|speak say|tell inform|discuss debate|argue quarrel|joke jest|play frolic
frolic romp|perform play|practice practise rehearse|exercise workout|enjoy like|love adore|hate loathe detest|want desire wish
try attempt|strive try|help aid|teach instruct|write pen|paint color|sew stitch|knit crochet|dig burrow|plant sow|trim cut
shave trim|brush comb|groom comb|marry wed|gather collect|group gather|meet encounter|join unite|attach fasten tie fix
fasten secure|bind tie|unite combine|combine mix|blend combine|separate divide|divide split|fit attach|steer drive|travel journey
arrive come|depart leave|leave exit|cross traverse|cover coat|empty unload|spray squirt|splash spatter|smoke fume|shine gleam
sparkle glitter|team squad|crew team|herd flock pack|bunch cluster|pile heap stack|row line|edge border|edge side|top summit
bottom base|middle center|back rear|background backdrop|dusk evening|dawn daybreak|autumn fall|holiday vacation
trip journey|party celebration|celebrate party|wedding marriage|companion friend|pal friend buddy|fun enjoyment|joy happiness
anger rage|fear fright|pain ache
catalog catalogue`
