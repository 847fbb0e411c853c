/** Preloaded into a program under measurement: at its end it tells on descriptor 3 what it took of the processor. */
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, String((user + system) / 1_000))
})
