import { peer as agentmemory } from './adapters/agentmemory.ts'
import { peer as lancedb } from './adapters/lancedb.ts'
import { peer as orama } from './adapters/orama.ts'
import { peer as ourIndex } from './adapters/our-index.ts'
import { peer as ours } from './adapters/ours.ts'
import { peer as qmd } from './adapters/qmd.ts'
import { peer as serverMemory } from './adapters/server-memory.ts'
import { peer as sqliteVec } from './adapters/sqlite-vec.ts'
import { peer as vectra } from './adapters/vectra.ts'
import type { Peer } from './peer.ts'

export const PEERS: readonly Peer[] = [
  ours,
  ourIndex,
  sqliteVec,
  lancedb,
  orama,
  vectra,
  qmd,
  serverMemory,
  agentmemory,
]

/** Looked at and not run, with what stood in the way: nobody is left out in silence. */
export const NOT_RUN: readonly { title: string; version: string; why: string }[] = [
  {
    title: 'agentmemory with its engine',
    version: '@agentmemory/agentmemory 0.9.29',
    why: 'its engine (iii 0.11.2) is no npm package: on first start it is fetched from GitHub, or run by Docker; without a network it says "iii-engine installer failed" and offers the standalone server, which is measured instead',
  },
  {
    title: 'claude-mem',
    version: 'claude-mem 13.25.3',
    why: 'npm finds no set of versions for its dependencies ("No matching version found for better-call@1.4.5"); its MCP server, started from the package alone, answers every search with "Error calling Worker API: fetch failed", as its worker needs Bun, and what it stores is written by a language model',
  },
  {
    title: 'qmd by meaning',
    version: '@tobilu/qmd 2.8.3',
    why: 'its embedding, expansion and reranking models are fetched from Hugging Face on first use; its search by words needs none and is measured',
  },
]
