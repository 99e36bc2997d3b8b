import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testXrpKills } from './xrpKills.js'

testXrpKills(EVERY_PLACE.otherVms)
