// Package returns makes of the figures of a return what its form asks for. A worksheet has the lines that a person types
// in, and findings that say what to look at first.
//
// It is pure: no clock, no I/O, no float. The figures come from package rules, and the layouts from the tax content, so
// that a changed form is a row. The same input gives the same worksheet, whenever it is made.
package returns
