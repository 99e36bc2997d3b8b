import { SHORT_WALK } from '../faults/killPlaces.js'
import { testXrpKills } from './xrpKills.js'

testXrpKills(SHORT_WALK.otherVms)
