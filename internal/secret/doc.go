// Package secret holds the master keys of an installation, the keys derived from
// them, and the API keys that clients hold. A secret itself is stored nowhere:
// records carry its keyed hash.
package secret
