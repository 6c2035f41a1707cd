// Package ser writes the Simplified Electronic Return and reads the answers to it. It is one XML document, which all states of
// the Streamlined Sales and Use Tax Agreement take.
//
// It is pure: no clock, no I/O, no float. Figures come from package rules, and what states want from the tax content. The
// same input gives the same bytes, whenever and however often they are made. Validate answers as a state would, with its
// numbered errors. Sums says where a document does not add up, which no state is to refuse.
//
// Sources: schema set SST2015V01 of the Streamlined Sales Tax Governing Board, its definitions of 2015-06-10, its list of
// error messages, and its technology guide of September 2013. Where guide and schema differ, the schema wins.
package ser
