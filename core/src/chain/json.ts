/** Plain JSON, for what an adapter stores in the database and only it can read. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
