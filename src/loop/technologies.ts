import { join } from 'node:path'
import { readOwnFile } from '../files/own-files.ts'
import { asObject } from '../text/json.ts'

/** Something the project is built with, as its own manifests say. */
export interface Technology {
  name: string
  area: 'language' | 'frontend' | 'backend' | 'database' | 'other'
}

interface Manifest {
  file: string
  languages: (text: string, project: string) => Promise<string[]> | string[]
  /** Whether the manifest asks for this package. */
  names: (text: string, packageName: string) => boolean
}

const LONGEST_MANIFEST = 1024 * 1024

const MANIFESTS: readonly Manifest[] = [
  { file: 'package.json', languages: scriptLanguage, names: inJson('dependencies', 'devDependencies') },
  { file: 'pyproject.toml', languages: () => ['python'], names: inPython },
  { file: 'requirements.txt', languages: () => ['python'], names: inRequirements },
  { file: 'Cargo.toml', languages: () => ['rust'], names: inToml },
  { file: 'go.mod', languages: () => ['go'], names: (text, name) => text.includes(name) },
  { file: 'Gemfile', languages: () => ['ruby'], names: inGemfile },
  { file: 'composer.json', languages: () => ['php'], names: inJson('require', 'require-dev') },
  { file: 'pom.xml', languages: () => ['java'], names: (text, name) => text.includes(`${name}</`) },
  { file: 'pubspec.yaml', languages: () => ['dart'], names: inYaml },
  { file: 'mix.exs', languages: () => ['elixir'], names: (text, name) => text.includes(`{:${name},`) },
]

/** Technology → the packages that stand for it, in the manifest of any language. */
const PACKAGES: readonly (readonly [name: string, area: Technology['area'], ...packages: string[]])[] = [
  ['react', 'frontend', 'react'],
  ['vue', 'frontend', 'vue'],
  ['svelte', 'frontend', 'svelte'],
  ['angular', 'frontend', '@angular/core'],
  ['flutter', 'frontend', 'flutter'],
  ['express', 'backend', 'express'],
  ['fastify', 'backend', 'fastify'],
  ['nestjs', 'backend', '@nestjs/core'],
  ['hono', 'backend', 'hono'],
  ['django', 'backend', 'django'],
  ['flask', 'backend', 'flask'],
  ['fastapi', 'backend', 'fastapi'],
  ['axum', 'backend', 'axum'],
  ['actix', 'backend', 'actix-web'],
  ['gin', 'backend', 'github.com/gin-gonic/gin'],
  ['echo', 'backend', 'github.com/labstack/echo'],
  ['rails', 'backend', 'rails'],
  ['laravel', 'backend', 'laravel/framework'],
  ['symfony', 'backend', 'symfony/framework-bundle'],
  ['spring', 'backend', 'spring-boot-starter', 'spring-boot-starter-web', 'spring-boot-starter-parent'],
  ['phoenix', 'backend', 'phoenix'],
  ['postgres', 'database', 'pg', 'postgres', 'psycopg', 'psycopg2', 'psycopg2-binary', 'asyncpg'],
  ['postgres', 'database', 'tokio-postgres', 'github.com/jackc/pgx', 'github.com/lib/pq', 'postgrex'],
  ['mysql', 'database', 'mysql2', 'mysqlclient', 'pymysql', 'github.com/go-sql-driver/mysql'],
  ['sqlite', 'database', 'better-sqlite3', 'sqlite3', 'rusqlite', 'github.com/mattn/go-sqlite3'],
  ['mongodb', 'database', 'mongodb', 'mongoose', 'pymongo', 'go.mongodb.org/mongo-driver'],
  ['redis', 'database', 'redis', 'ioredis', 'github.com/redis/go-redis'],
  ['next', 'other', 'next'],
  ['nuxt', 'other', 'nuxt'],
  ['electron', 'other', 'electron'],
  ['prisma', 'other', '@prisma/client', 'prisma'],
  ['graphql', 'other', 'graphql'],
  ['tailwind', 'other', 'tailwindcss'],
  ['celery', 'other', 'celery'],
  ['pandas', 'other', 'pandas'],
  ['tokio', 'other', 'tokio'],
]

/** What the manifests in the project's own folder name. A manifest that cannot be read names nothing. */
export async function technologiesOf(project: string): Promise<Technology[]> {
  const found = await Promise.all(MANIFESTS.map((manifest) => namedIn(manifest, project)))
  return [...new Map(found.flat().map((technology) => [technology.name, technology])).values()]
}

async function namedIn({ file, languages, names }: Manifest, project: string): Promise<Technology[]> {
  const text = await textOf(join(project, file))
  if (text === undefined) return []
  try {
    const written = (await languages(text, project)).map((name) => ({ name, area: 'language' as const }))
    const used = PACKAGES.filter(([, , ...packages]) => packages.some((name) => names(text, name)))
    return [...written, ...used.map(([name, area]) => ({ name, area }))]
  } catch {
    return []
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const text = readOwnFile(path).toString('utf8')
    return text.length > LONGEST_MANIFEST ? undefined : text
  } catch {
    return undefined
  }
}

async function scriptLanguage(text: string, project: string): Promise<string[]> {
  const isTyped =
    inJson('dependencies', 'devDependencies')(text, 'typescript') ||
    (await textOf(join(project, 'tsconfig.json'))) !== undefined
  return [isTyped ? 'typescript' : 'javascript']
}

function inJson(...sections: readonly string[]): Manifest['names'] {
  return (text, name) => {
    const manifest = asObject(JSON.parse(text))
    return sections.some((section) => Object.hasOwn(asObject(manifest?.[section]) ?? {}, name))
  }
}

/** `"django>=5"` in a list, or `django = "^5"` on a line of its own. */
function inPython(text: string, name: string): boolean {
  const safe = escaped(name)
  return new RegExp(`["']${safe}(?:\\[[^\\]]*\\])?\\s*(?:["'<>=!~;@])`, 'i').test(text) || inToml(text, name)
}

function inToml(text: string, name: string): boolean {
  const safe = escaped(name)
  return new RegExp(`^(?:${safe}\\s*=|\\[[\\w.-]*dependencies\\.${safe}\\])`, 'im').test(text)
}

function inRequirements(text: string, name: string): boolean {
  return new RegExp(`^${escaped(name)}(?:\\[[^\\]]*\\])?\\s*(?:$|[<>=!~;@#])`, 'im').test(text)
}

function inGemfile(text: string, name: string): boolean {
  return new RegExp(`^\\s*gem\\s+["']${escaped(name)}["']`, 'm').test(text)
}

function inYaml(text: string, name: string): boolean {
  return new RegExp(`^\\s+${escaped(name)}\\s*:`, 'm').test(text)
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
