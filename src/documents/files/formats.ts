import { basename, extname } from 'node:path'
import type { DocumentFormat } from '../record.ts'

const endings = (text: string) => new Set(text.split(/\s+/).map((ending) => `.${ending}`))

const MARKDOWN = endings('md markdown mdx mdown mkd qmd rmd')
const TEXT = endings('txt text rst adoc asciidoc org tex textile pod man 1 2 3 4 5 6 7 8 log me nfo srt vtt')
/** Never text, so that nobody has to look into them. */
const BINARY = endings(
  `png jpg jpeg gif webp bmp tif tiff ico icns heic avif psd ai eps svg svgz mp3 mp4 m4a m4v wav ogg oga ogv opus flac avi
   mov mkv webm zip gz tgz bz2 xz zst 7z rar tar jar war ear whl egg gem crate deb rpm apk dmg iso img exe dll so dylib a o
   obj lib class pyc pyo wasm node bin dat db sqlite sqlite3 mdb parquet feather arrow npy npz h5 hdf5 pt pth onnx safetensors
   gguf ckpt tflite pb ttf otf woff woff2 eot doc docx xls xlsx ppt pptx odt ods odp pages numbers key epub mobi djvu ps
   swf fla blend fbx glb gltf stl dwg dxf sketch fig xcf pcap dump core swp lockb`,
)
/** Mostly data, of which much says little. */
const DATA = endings(
  'csv tsv json jsonl ndjson json5 xml plist yaml yml toml ini properties sql po pot geojson',
)
/** Of such a file. */
const MOST_DATA_BYTES = 256 * 1024

/** Where tools keep their own, copies of other people's work, and what keeps memory itself. */
const FOLDERS = new Set(
  `node_modules bower_components .git .hg .svn .jj .bzr CVS .ralph __pycache__ .venv venv .tox .nox .mypy_cache .pytest_cache
   .ruff_cache .gradle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo .cache .idea .vs DerivedData Pods .dart_tool
   .pnpm-store .yarn .eggs site-packages`.split(/\s+/),
)
const LOCKS = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock Cargo.lock poetry.lock uv.lock Pipfile.lock
   Gemfile.lock composer.lock go.sum flake.lock deno.lock mix.lock pubspec.lock packages.lock.json gradle.lockfile
   Podfile.lock`.split(/\s+/),
)
const GENERATED = /\.(?:min\.(?:js|css|mjs|cjs)|map|snap|bundle\.js|pb\.go|g\.dart|designer\.cs)$/i
const OF_SYSTEMS = new Set([
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '.gitignore',
  '.gitattributes',
  '.gitkeep',
])
/** Secrets are masked wherever they stand; files that are made of them are not read at all. */
const CREDENTIALS =
  /^(?:\.env(?:\..*)?|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.git-credentials|credentials|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?)$/i
const EXAMPLE = /\.(?:example|sample|template|dist)$/i

/** A folder that nobody means when they add the one around it. */
export function isPassedBy(folderName: string): boolean {
  return FOLDERS.has(folderName)
}

/** Why a file in an added folder is left out by its name alone; one that is named by itself is not asked. */
export function leftOutByName(path: string): string | undefined {
  const name = basename(path)
  if (OF_SYSTEMS.has(name)) return 'a file of a tool'
  if (LOCKS.has(name)) return 'a lock file'
  if (CREDENTIALS.test(name) && !EXAMPLE.test(name)) return 'a file for secrets'
  if (GENERATED.test(name)) return 'generated'
  return undefined
}

export function leftOutBySize(path: string, bytes: number): string | undefined {
  return DATA.has(endingOf(path)) && bytes > MOST_DATA_BYTES ? 'data of more than 256 KB' : undefined
}

/** Undefined for what cannot be read as text. What no ending tells is taken for text until it is looked at. */
export function documentFormat(path: string): DocumentFormat | undefined {
  const ending = endingOf(path)
  if (ending === '.pdf') return 'pdf'
  if (BINARY.has(ending)) return undefined
  if (MARKDOWN.has(ending)) return 'markdown'
  return ending === '' || TEXT.has(ending) ? 'text' : 'source'
}

function endingOf(path: string): string {
  return extname(path).toLowerCase()
}
