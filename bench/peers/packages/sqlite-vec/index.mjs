export { getLoadablePath } from 'sqlite-vec'
