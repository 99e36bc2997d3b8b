export { LocalTon, startLocalTon } from './node/localTon.js'
