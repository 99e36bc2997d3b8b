import { boot } from '../boot.js'

/** The address of a page of this area. */
export const hrefOf = (path: string): string => (path === '' ? `/${boot.area}` : `/${boot.area}/${path}`)
