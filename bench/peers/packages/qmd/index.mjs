export { createStore } from '@tobilu/qmd'
