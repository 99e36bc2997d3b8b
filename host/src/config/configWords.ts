/** What `@causeway/host` is to a configuration file, wherever the file lies. */
export { defineConfig } from './defineConfig.js'
export { DEFAULT_PLUGINS } from './schema/defaultPlugins.js'
