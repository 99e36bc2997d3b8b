import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testBitcoinKills } from './bitcoinKills.js'

testBitcoinKills(EVERY_PLACE.otherVms, { versions: true })
