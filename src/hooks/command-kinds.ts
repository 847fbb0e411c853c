import { checkKind } from '../feature-memory/extract/check-kind.ts'
import { parseShell } from '../feature-memory/extract/shell.ts'

/** A script or a target that is called after a check is one, as far as anybody can tell. */
const CHECK_NAME =
  /(?:^|[\s:/._-])(?:tests?|specs?|e2e|builds?|rebuild|compile|lint|types?|typecheck|checks?|verify|validate|ci|coverage)(?=$|[\s:/._-])/i

/** Test, build, lint, type check and the like, however they are called: they are there to be repeated. */
export function isCheck(command: string): boolean {
  return CHECK_NAME.test(command) || parseShell(command).some((part) => checkKind(part) !== 'command')
}
