import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testAccountKills } from './accountKills.js'

testAccountKills(EVERY_PLACE.otherVms)
