import { testTonKills } from './tonKills.js'

// A wallet takes each seqno once: a host that signed a request must send the stored bytes and no others.
testTonKills(['fill.store.after', 'fill.broadcast.after', 'refund.broadcast.after', 'withdraw.store.after'])
