const TOKEN =
  /`[^`\n]{1,120}`|\w{1,64}(?:-\w{1,64}){1,8}\.[a-z]\w{0,16}(?![\w/])|[\w.@~-]{0,255}(?:\/[\w.@~*-]+)+\/?|(?<![\w-])--?[a-z][\w-]*|(?<=\s)(?:[=!]==?|[<>]=?|&&|\|\|)(?=\s)|(?:(?<![\w.)\]/-])[-^~])?v?\d+(?:[.,:]\d+)*(?:%|[a-z]{1,4}\b)?|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?|\.{2,}|[,;:.!?()]/gu
/** A name from the code: a path, a call, a flag, an operator, a word with capitals in it. */
export const NAME = /[/_$.:()=<>&|]|\d|^-|[\p{Ll}][\p{Lu}]/u
export const NUMBER = /^[-^~]?v?\d/
export const HTTP_METHOD = /^(?:GET|PUT|POST|PATCH|HEAD|DELETE|OPTIONS)$/

/** What a statement is made of: words, names, numbers, operators and what parts it. */
export function statementTokens(plain: string): string[] {
  return [...plain.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^\.{2,}$/.test(token))
}
