import { lazy } from '../deferred.ts'

/**
 * The 3,000 commonest words of English texts, stemmed like all others: those that come first in the vocabulary of the model that we
 * bring, which is sorted that way, without names of people and places.
 */
const COMMON_WORDS = lazy(
  (): ReadonlySet<string> =>
    new Set(
      `
  abandon abbey abil abl aboard abov abroad absenc absolut abus academ academi accept access accid accompani accord
  account accus achiev acid acoust acquir acquisit acr across act action activ activist actor actress actual ad adapt
  add addit address adjac administr admir admit adopt adult advanc advantag adventur advertis advic advisori affair
  affect affili afraid after afternoon afterward again against age agenc agent ago agre agreement agricultur ah ahead
  aid aim air aircraft airlin airport album alcohol alien aliv all alleg alli allianc allow almost alon along alongsid
  alpha alreadi also altern although altitud alway amateur amaz ambassador amend among amongst amount analysi ancient
  angel anger angl angri anim anniversari announc annual anoth answer anti anymor anyon anyth anyway anywher apart
  appar appeal appear appl appli applic appoint approach appropri approv approxim arch archaeolog archbishop architect
  architectur area arena argu argument arm armi around arrang arrest arriv art articl artifici artilleri artist ash
  asid ask asleep aspect ass assault assembl assess asset assign assist associ assum athlet atmospher attach attack
  attempt attend attent attitud attorney attract attribut audienc audio august aunt author automat autumn avail avenu
  averag aviat avoid awar award away babi bachelor back background bad bag baker balanc ball ballet ban band bank
  baptist bar bare baron base basebal basi basic basin basketbal bass bat bath bathroom battalion batteri battl bay be
  beach beam bear beast beat beaten beauti becam becaus becom bed bedroom beer beetl befor began begin begun behalf
  behavior behind belief believ bell belli belong below belt bench beneath benefit bent besid best bet better between
  beyond bibl bid big bigger biggest bike bill billboard billi billion bin bind biolog bird birth birthday bishop bit
  bitch bite black blade blame blind blink block blood bloodi blow blue board boat bob bobbi bodi bold bomb bond bone
  bonus book boot border born borough boss both bottl bottom bought bound boundari bow bowl box boy boyfriend brain
  branch brand bread break breakfast breast breath brick bridg brief briefli brigad bright bring broad broadcast broke
  broken bronz brother brought brown brush budget buffalo build built bull bullet bureau buri burn burst bus buse bush
  busi businessman butler button buy ca cabin cabinet cabl cage call calm came camera camp campaign campus canal
  cancel cancer candid cannot cap capabl capac cape capit captain captur car carbon card cardin care career cargo
  carri carrier carv case cash cast castl cat catch categori cathedr cathol cattl caught caus cavalri cave ceas ceil
  celebr cell cemeteri census center central centuri ceremoni certain certifi chain chair chairman challeng chamber
  champion championship chanc chancellor chang channel chapel chapter charact character characterist charg chariti
  chart charter chase check cheek chemic chemistri chess chest chicken chief child childhood children chile chin china
  chocol choic choir choos chorus chose chosen chuck church cinema circl circuit circumst cite citi citizen civil
  civilian claim clan class classic classif classifi clay clean clear clerk client cliff climat climb clinic clock
  close closer closest cloth cloud club cm coach coal coalit coast coastal coat code coffe coin cold collabor collaps
  collect colleg colonel coloni color column combat combin come comedi comfort comic command comment commerc commerci
  commiss commission commit committe common commonwealth commune communic communist communiti compani companion compar
  comparison compet competit compil complet complex compon compos composit compound comprehens comput concentr concept
  concern concert conclud conclus concret condit conduct conductor confeder confer confid confirm conflict confus
  congreg congress congression connect consecut conserv consid consider consist constant constitu constitut construct
  consum contact contain contemporari content contest context continent continu contract contrast contribut control
  controversi convent convers convert convict convinc cook cool cooper copi copper core corner corp corpor correct
  correspond corridor corrupt cost cotton couch council count counter counti countri coupl cours court cousin cover
  coverag craft crash crazi cream creat creation creativ creatur credit creek crew cri cricket crime crimin crisi
  critic cross crowd crown crystal cultur cup curious current curv custom cut cycl cylind dad daili dam damag damn
  danc dancer danger dark data databas date daughter dawn day dead deal dean dear death debat debt debut decad decid
  decis deck declar declin decor dedic deep deeper deepli defeat defend defens defin definit degre deliv deliveri
  delta demand democraci democrat demolish demon demonstr den deni densiti depart departur depend deploy depress depth
  deputi derbi deriv descent describ descript desert design desir desk desper despit destin destroy destruct detail
  detect determin develop devic devil devot dialogu diamet diamond dick die diesel differ difficult difficulti digit
  dine dinner dioces diplomat direct director dirt dirti disappear disast disc discov discoveri discuss diseas dismiss
  display disput distanc distant distinct distinguish distribut district divers divid divin divis doctor document
  documentari dog dollar domain domest domin don donat door doorway doubl doubt down downtown dozen draft drag dragon
  drake drama dramat draw drawn dream dress drew dri drink drive driven driver drop drove drug drum drummer drunk dual
  due duke duo dure dust duti dynasti each eagl ear earl earli earlier earliest earn earth eas easi easier easili east
  eastern eat econom economi ed edg edit editor educ effect effort egg eight eighteen eighth either elder eldest elect
  elector electr electron element elementari elev eleven elig elimin elit els elsewher em emerg emot emperor emphasi
  empir employ employe empti encourag end endem enemi energi enforc engag engin enjoy enough ensembl ensur enter
  enterpris entertain entir entitl entranc entri environ environment episod equal equip equival era erect error escap
  especi essenti establish estat estim etc ethnic eve even event eventu ever everi everybodi everyon everyth everywher
  evid evil evolut evolv ex exact examin exampl excel except exchang excit exclus excus execut exercis exhibit exist
  exit expand expans expect expedit expens experi experienc experiment expert explain explan explos expos exposur
  express extend extens extent extern extra extrem eye fa face facil fact factor factori faculti fail failur fair
  faith fall fallen fals fame famili familiar famous fan fantasi far farm farmer fashion fast faster fastest fat fate
  father fault favor favorit fear featur fed feder fee feed feel feet fell fellow fellowship felt femal ferri festiv
  few fiction field fifteen fifth fifti fight fighter figur file fill film final financ financi find fine finger
  finish fire firm first fish fist fit five fix flag flame flash flat fled fleet flesh flew fli flight flood floor
  flow flower focus fold folk follow food fool foot footbal forc ford forehead foreign forest forev forget forgotten
  form formal format former formula fort forth forti fortress fortun forum forward foster fought found foundat founder
  four fourteen fourth fox frame framework franchis frank free freedom french frequenc frequent fresh friend
  friendship front frown frozen fruit ft fuck fuel full fulli fun function fund fundament funer funni fur furnitur
  further furthermor futur gain galleri game gang gap garag garden gas gate gather gaug gave gay gaze gear gender gene
  general generat genet genr gentl genus get ghost giant gift girl girlfriend give given glad glanc glass global globe
  go goal god goddess goe gold golden golf gone gonna good gospel got gotten govern governor grab grace grade gradual
  graduat grammar grand grandfath grandmoth grandson grant grass grave gray great greater greatest green grew grey
  grin grip gross ground group grove grow grown growth guard guardian guess guest guid guilt guilti guinea guitar
  guitarist gulf gun guy ha habitat hair half hall hallway hand handl hang happen happi harbor hard harder hardwar
  harm harri hart hat hate have haven he head headquart health healthi hear heard heart heat heaven heavi heavili
  height held helicopt hell hello help henc her here heritag hero herself hey hi hidden hide high higher highest
  highway hill him himself hip hire his histor histori historian hit ho hockey hold hole holi holiday home honest
  honey honor honorari hood hop hope horn horror hors hospit host hot hotel hour hous household howev hp huge hull
  human hundr hung hungri hunt hunter hurrican hurt husband ice idea ideal ident identifi ignor ii iii ill illeg
  illustr imag imagin immedi immigr impact imperi implement import imposs impress improv inaugur inc inch incid includ
  incom incorpor increas incumb inde independ index indic indigen individu indoor industri infantri influenc influenti
  inform infrastructur inhabit inherit initi injur injuri inn inner inning innoc input insid insist inspector inspir
  instal instanc instant instead institut instruct instrument insur integr intellectu intellig intend intens intent
  inter interest interior intermedi intern internet interpret interrupt intersect interst interview introduc introduct
  invas invest investig invit involv iron island isol issu item itself iv ivi jack jacket jail japan jaw jay jazz jean
  jersey jet jimmi job john join joint josh journal journalist journey joy judg jump junction junior juri jurisdict
  just justic keep ken kept key keyboard kg khan kick kid kill killer kilomet kind king kingdom kiss kitchen km knee
  knew knife knight knock know knowledg known la lab label labor laboratori lack ladi laid lake land landscap lane
  languag lap larg larger largest last late later latest latter laugh laughter launch law lawyer lay layer lb lead
  leader leadership leaf leagu lean learn least leather leav led lee left leg legaci legal legend legion legisl
  legislatur length less let letter level liber liberti librari licens lie lieuten life lifetim lift light lightn like
  lili limit line linear link lion lip liquid list listen lit liter literari literatur littl live load loan local
  locat lock locomot lodg logic long longer longest look loop loos lord lose loss lost lot loud love lover low lower
  lowest luck lucki lunch lyric ma machin mad made magazin magic magnet mail main mainstream maintain mainten major
  make makeup male mall man manag mani manner manor mansion manual manufactur map mar marbl march margin maria marin
  maritim mark market marri marriag martial martin mask mason mass massiv master match mate materi mathemat matt
  matter max maximum may mayb mayor meal mean meant meanwhil measur meat mechan medal media median medic medicin
  mediev medium meet member membership memori men mental mention merchant mere merg merger merit mess messag met metal
  meter method metro metropolitan mi mid middl midnight might mike mile militari milk mill miller million mind mine
  mini minimum minist ministri minor minut mirror miss missil mission mistak mix mm mobil mode model modern modifi mom
  moment monasteri money monitor monster month monument mood moon moral more morn most moth mother motion motor mount
  mountain mous mouth move movement movi mph ms much multi multipl municip murder murmur muscl museum music musician
  must mutter myself mysteri nake name narrat narrow nation nativ natur naval navi near nearbi nearest necessari neck
  need negat negoti neighborhood neither nephew nervous net network never nevertheless new newli news newspap next
  nice nick night nine ninth no nobl nobodi nod nois nomin non none nor normal north northeast northern northwest
  northwestern nose not notabl note noth notic nova novel now nowher nuclear number numer nurs oak object observ
  obtain obvious occas occasion occup occupi occur ocean odd off offens offer offic offici often oh oil okay old older
  oldest onc one ongo onli onlin onto op open oper opera opinion oppon opportun oppos opposit option orang orchestra
  order ordinari organ orient origin orthodox other otherwis ottoman out outdoor outer output outsid outstand over
  overal oversea own owner ownership oxford oxygen pa pace pacif pack packag page paid pain paint painter pair palac
  pale palm pan panel panic pant paper parad parallel parent parish park parliament parliamentari part parti partial
  particip particular partner partnership pass passag passeng passion past pat patent path patient patrol pattern paus
  pay payment peac peak pearl pen penalti peninsula peopl per percent percentag percuss perfect perform perhap period
  perman permiss permit person personnel perspect peter phase philosophi phoenix phone photo photograph photographi
  phrase physic physician piano pick pictur piec pilot pine pink pioneer pit pitch pitcher place plain plan plane
  planet plant plastic plate platform play player playoff pleas pleasur plenti plot plus pocket poem poet poetri point
  pole polic polici polish polit politician pool poor pop pope popul popular porch port portion portrait portray posit
  possess possibl post potenti pound poverti power pp practic prais prayer prefectur prefer pregnant premier prepar
  presenc present preserv presid presidenti press pressur pretti prevent previous price pride priest primari primarili
  prime princ princess princip principl print prior prison privat prize pro probabl problem procedur process produc
  product profession professor profil profit program programm progress project promin promis promot proof proper
  properti propos protect protein protest proud prove provid provinc provinci psycholog public publish pull punish
  punk pupil purchas pure purpl purpos pursu push put qualifi qualiti quarter queen question quick quiet quit rabbi
  race racial radar radic radio rage rail railroad railway rain rais ran random rang ranger rank rapid rare rate
  rather ratio raw ray re reach reaction read reader readi real realiti realiz realli rear reason rebellion rebuilt
  recal receiv recent recept recipi recogn recognit recommend record recov recoveri red reduc reduct reed refer refere
  reflect reform refus regard regardless regim regiment region regist regul regular reign reject relat relationship
  releas releg relev relief reliev religi religion reloc remain remaind rememb remind remot remov renaiss renam repair
  repeat replac repli report repres represent republ republican reput request requir rescu research reserv reservoir
  resid residenti resign resist resolut resort resourc respect respond respons rest restaur restor restrict result
  resum retail retain retir retreat retriev return rev reveal reveng revenu revers review revis reviv revolut
  revolutionari rhythm rice rich rick ride rider ridg rifl right ring rise risk rival river road rob robin rock rocket
  rocki roger role roll roman romanc romant roof room root rose rough round rout row royal rub rugbi rule ruler run
  runner rural rush sacr sad safe safeti said sail saint sale salt same sampl sand sandi sang sank sat satellit save
  saw say scale scare scatter scene scent schedul scheme scholar scholarship school scienc scientif scientist score
  scout scream screen script sculptur sea seal search season seat second secondari secret secretari section sector
  secur see seed seek seem seen segment select self sell semi senat send senior sens sensit sent sentenc separ sequenc
  sergeant seri serial serious serv servant servic session set settl settlement settler seven seventh sever sex sexi
  sexual shadow shah shake shall shape share sharp she sheet shell shelter sheriff shield shift ship shirt shit shock
  shoe shook shoot shop shore short shorter shot shoulder shout shove show shower shown shrug shut sick side sieg
  sierra sigh sight sign signal signatur signific silenc silent silk silver similar simpl simpli simultan sinc sing
  singer singl sink sir sister sit site situat six sixteen sixth size skill skin skull sky slam slave sleep slept slid
  slide slight slip slow slowli small smaller smart smell smile smith smoke smooth snake snap snow soap soccer social
  socialist societi soft softwar soil solar sold soldier sole solid solo solut somehow someon someth sometim somewhat
  somewher son song songwrit soon sorri sort sought soul sound soundtrack sourc south southeast southern southwest
  soviet space speak speaker speci special specif speech speed spell spend spent spider spin spirit spiritu split
  spoke spoken sponsor sport spot spread spring spun sq squad squadron squar squeez stabl stadium staff stage stair
  stake stand standard star stare start state statement station statist statu status stay steadi steam steel stem step
  stick still stock stolen stomach stone stood stop storag store stori storm straight strang stranger strateg strategi
  stream street strength stress stretch strike string strip stroke strong stronger struck structur struggl stuck
  student studi studio stuff stupid style sub subject submarin submit subsequ subsidiari substanti substitut suburb
  succeed success successor such sudden suffer suffici sugar suggest suicid suit suitabl sultan sum summer summit sun
  sung super superior suppli support suppos suprem sure surfac surgeri surpris surrend surround survey surviv suspect
  suspend swallow sweat sweet swept swim swing switch sword swung symbol symphoni symptom system tabl tag tail take
  taken tale talent talk tall tank tape target task tast taught tax tea teach teacher team tear tech technic techniqu
  technolog teeth telephon televis tell temperatur templ temporari ten tend tenni tension tenth tenur term termin
  terminus terri terribl territori terror test text thank theater theatr theme themselv theolog theori therapi
  thereaft therefor thick thin thing think third thirteen thirti though thought thousand threat threaten three threw
  throat throne through throughout throw thrown thrust thumb thus ticket tie tier tiger tight till timber time tini
  tip tire titl today togeth told tom tomorrow ton tone tongu toni tonight took tool top topic torn toss total touch
  touchdown tough tour tourism tourist tournament toward tower town township trace track trade tradit traffic trail
  train transfer transit translat transmiss transport trap travel treat treati treatment tree tri trial tribe tribut
  trick triniti trio trip tripl troop trophi tropic troubl truck true truli trust truth tube tunnel turkey turn turner
  twelv twenti twice twin twist two type typic uh ultim unabl uncl under underground underneath understand understood
  unfortun uniform union uniqu unit univers unknown unless unlik unsuccess until unusu up updat upon upper upset urban
  us use user usual valley valu valuabl vampir van variabl varieti various vast vehicl ventur venu veri vers version
  versus vertic vessel veteran vi via vice victim victor victori video view viewer villa villag violenc violent violin
  virgin virtual virus visibl vision visit visitor visual vocal vocalist voic vol volleybal volum volunt vote voter vs
  waist wait wake wale walk walker wall want war ward warm warn warren warrior wast watch water wave way weak wealth
  wealthi weapon wear weather web websit wed week weekend weight weird welcom welfar well welsh went west western wet
  whatev wheel whenev wherea whether whilst whisper white whole whose wide wider widespread widow wife wild wildlif
  will win wind window wine wing winner winter wire wise wish wit witch withdrew within without wolf woman women won
  wonder wood wooden word wore work worker world worldwid worn worri wors worship worst worth wound wrap wrestl wright
  wrist write writer written wrong wrote yard ye yeah year yell yellow yes yesterday yet young younger youngest your
  yourself youth zero zone
  `.split(/\s+/),
    ),
)

/** A word that any text may have, whatever it is about: few documents that share it say little, however few they are. */
export function isCommonWord(stem: string): boolean {
  return COMMON_WORDS().has(stem)
}
