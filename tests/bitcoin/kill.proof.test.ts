import { SHORT_WALK } from '../faults/killPlaces.js'
import { testBitcoinKills } from './bitcoinKills.js'

testBitcoinKills(SHORT_WALK.otherVms)
