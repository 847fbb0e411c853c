/** Moves what is stored to PostgreSQL: `node migrate-process.ts '{"world": …, "url": "postgres://…"}'`. */
import { product, type World } from '../core/world.ts'

const { world, url } = JSON.parse(process.argv[2]!) as { world: World; url: string }
const { migrate } = await product()
const { project, home, env } = world
const report = await migrate({ project, home, env, to: 'postgres', url, onNotice: () => undefined })
console.log(report.verified ? 'verified' : JSON.stringify(report))
