/**
 * Messages that carry a conversation on and say nothing by themselves: "continue", "thanks!", "ok, go on". The common
 * ones of a few languages; whoever says something else in another language is simply taken at their word.
 */

const WORDS: ReadonlySet<string> = new Set(
  [
    // English, and what stands around such words
    `a about ack again agree agreed ah ahead all alright also am amazing an and any anything anyway are
    as ask assist at awesome be begin both bye can carry cheers clear confirm confirmed continue cool
    correct could day did discuss discussed do does doesnt done dont else evening everything exactly excellent fantastic
    fine finish first for get give glad go going good got great happy have hello help here hey hi hm hmm
    how i if ill im in is it its ive job just k keep know let lets lgtm like lol looks lot love me more
    morning move much my n need next nice night no nope not now of off oh ok okay on one ones onto
    option or our out over perfect please pls proceed proceeding question ready really resume retry
    right said same say second see should so some soon sounds start started stop super sure talk talked tell thank thanks
    that thats the them then there these they this those though thx to today too try two ty understood
    up very wait want was way we welcome well were what whatever when where which who why will with
    wonderful work worked working works would wow y yeah yep yes yet you your youre yup`,
    // German
    `alles bitte dank danke dankeschön dann das dir einmal einverstanden fertig fortfahren fortsetzen geh
    genau gerne gut hallo ihnen ist ja jetzt jo klar leg los mach mache machen mal moin nein noch
    nochmal passt perfekt prima richtig schön servus so stimmt toll und verstanden vielen weiter
    weitermachen`,
    // French
    `allez beaucoup bien bon bonjour cest continuer continuez daccord encore entendu génial la marche
    merci non oui parfait plaît salut sil suite te très va vas vous ça`,
    // Spanish, Portuguese
    `acuerdo adelante bom bueno certo claro continua continuar continúa dale de es eso favor gracias hola
    isso listo muchas muito muy não obrigada obrigado olá perfecto perfeito pode por segue seguir si
    sigue sim sí vai vale`,
    // Italian, Dutch, Polish, Turkish, Swedish
    `alsjeblieft avanti bedankt bene bra ciao dalej devam dobrze door dzięki dziękuję et evet favore
    fortsätt ga goed grazie hayır hoi je kontynuuj lütfen mille nee nej nie per perfetto prego proszę sì
    tack tak tamam teşekkürler verder vidare`,
    // Russian, Ukrainian
    `да давай дальше далі дякую нет ок отлично пожалуйста привет продовжуй продолжай продолжайте спасибо
    так хорошо`,
  ].flatMap((words) => words.split(/\s+/)),
)
/** Written without spaces: these are taken away, and what is left says something. */
const UNSPACED =
  /(?:请|麻烦)?(?:继续|好的?|谢谢(?:你|您)?|多谢|是的?|对|不|你好|您好|下一步|可以|行|没问题|吧|了|呢)|続けて|ください|はい|いいえ|ありがとう|ございます|お願いします|おねがいします|了解|どうぞ|次|です|계속|해\s?줘|해주세요|하세요|해|네|예|아니요|감사합니다|고마워요?|좋아요?|안녕하세요/gu
const TOKEN = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*/gu
/** "2", "b": a choice among what was just offered. */
const CHOICE = /^(?:\p{N}{1,2}|\p{L})$/u
/** Longer messages say something, whatever their words are. */
const MOST_WORDS = 30

/** False for a message that only makes sense where it was said. */
export function saysSomething(text: string): boolean {
  const tokens = text.normalize('NFKC').toLowerCase().replace(UNSPACED, ' ').match(TOKEN) ?? []
  if (tokens.length > MOST_WORDS) return true
  return tokens.some((token) => !CHOICE.test(token) && !WORDS.has(token.replace(/['’]/g, '')))
}
