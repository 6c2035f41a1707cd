// Package authority submits returns and registrations to the tax authorities. Gateway is the interface of an authority;
// an adapter for each way of filing implements it. Manual is the adapter for people who file at the authority
// themselves. Sandbox simulates an authority with its faults. docs/authorities.md says how to add an adapter.
package authority
