/** Plain and old JavaScript: the Node that reads it may be too old for ours. */
const [major, minor] = process.versions.node.split('.').map(Number)

export const isOldNode = major < 22 || (major === 22 && minor < 13)
