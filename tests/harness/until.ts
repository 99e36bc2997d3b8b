export { until } from '@causeway/core/testing'
