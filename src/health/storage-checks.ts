import { LEASED_TABLES, Leases } from '../storage/leases.ts'
import type { Storage } from '../storage/storage.ts'
import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { ok, pending, problem, type Result } from './finding.ts'
import { storageIfAny, storageStatus } from './status.ts'

const MEANS = 'Knowledge, conversations and gates cannot be used until it is mended; the journals can.'

export async function checkStorage(parts: DoctorParts): Promise<Result> {
  const { ok: fine, detail, hint } = await storageStatus(parts, { thorough: true })
  if (!fine) return problem(detail, hint, MEANS)
  return ok(detail)
}

export async function mendStorage({ mendStorage: mend }: DoctorParts): Promise<string> {
  return (await mend()).join('; ') || 'nothing of it could be mended'
}

/** Work that a process had taken on before it was killed; whoever works there next takes it over. */
export async function checkLeases(parts: DoctorParts): Promise<Result> {
  const storage = await storageIfAny(parts)
  if (!storage) return ok('none')
  let dead = 0
  for (const leases of leasesOf(storage)) dead += await leases.countDead()
  return dead === 0
    ? ok('none')
    : pending(`${plural(dead, 'piece')} of work of processes that are gone; free for the next`)
}

export async function mendLeases(parts: DoctorParts): Promise<string> {
  const storage = await storageIfAny(parts)
  for (const leases of storage ? leasesOf(storage) : []) await leases.releaseDead()
  return 'freed it'
}

function leasesOf(storage: Storage): Leases[] {
  return LEASED_TABLES.map((table) => new Leases(storage, table, Date.now))
}
