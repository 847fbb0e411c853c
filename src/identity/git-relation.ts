import { realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { checkoutRoot, textIfAny, worktreeFolder } from '../files/git-checkout.ts'

/** A folder as git sees it. */
interface Checkout {
  /** The folder within the checkout: two folders of one repository are two projects. */
  inside: string
  root: string
  /** The repository itself; the same for all its worktrees. */
  repository: string
  /** Where it was cloned from, in one spelling. */
  origin: string | undefined
}

/** Whether both are checkouts of one repository: worktrees of it, or clones of each other or of the same origin. */
export function isSameRepository(one: string, other: string): boolean {
  const [a, b] = [checkoutOf(one), checkoutOf(other)]
  if (!a || !b || a.inside !== b.inside) return false
  if (a.repository === b.repository) return a.root !== b.root
  if (a.origin !== undefined && a.origin === b.origin) return true
  return isCloneOf(a, b) || isCloneOf(b, a)
}

function isCloneOf({ origin }: Checkout, { root, repository }: Checkout): boolean {
  return origin === root || origin === repository
}

function checkoutOf(folder: string): Checkout | undefined {
  const root = checkoutRoot(folder)
  const repository = root && repositoryOf(root)
  if (!root || !repository) return undefined
  return { root, repository, inside: relative(root, folder), origin: originOf(repository) }
}

/** A worktree only points to its repository, which must know it: anybody can write a pointer. */
function repositoryOf(root: string): string | undefined {
  const git = join(root, '.git')
  const administration = worktreeFolder(root)
  if (administration === undefined) return git
  const back = textIfAny(join(administration, 'gitdir'))?.trim()
  const common = textIfAny(join(administration, 'commondir'))?.trim()
  if (back === undefined || common === undefined) return undefined
  return realPath(resolve(administration, back)) === realPath(git)
    ? realPath(resolve(administration, common))
    : undefined
}

function originOf(repository: string): string | undefined {
  const section = textIfAny(join(repository, 'config'))?.match(/^[ \t]{0,40}\[remote "origin"\]([^[]*)/m)?.[1]
  const url = section?.match(/^[ \t]{0,40}url[ \t]{0,40}=(.+)$/m)?.[1]?.trim()
  if (!url) return undefined
  const network =
    url.match(/^[a-z+]+:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i) ??
    url.match(/^(?:[^@/]+@)?([^/:]{2,}):(?!\\|\/\/)(.+)$/)
  if (!network) return realPath(resolve(dirname(repository), url.replace(/^file:\/\//, '')))
  return `${network[1]!.toLowerCase()}/${network[2]!.replace(/^\/+|\/+$|\.git\/?$/g, '')}`
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path // gone
  }
}
