// Package authority is the way to the tax authorities. Gateway is what an authority
// has to offer; an adapter for each way of filing implements it. Two are here: one
// for people who file at the authority themselves, and a sandbox that behaves as
// authorities do, with everything that can go wrong. docs/authorities.md says how
// another one plugs in.
package authority
