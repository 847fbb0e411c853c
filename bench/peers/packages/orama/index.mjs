export * as orama from '@orama/orama'
export * as persistence from '@orama/plugin-data-persistence/server'
