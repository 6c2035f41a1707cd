package work

// BackTax is the tax of a registration r from before its returns.
const BackTax = backTax

// SelectExceptions are all exceptions.
var SelectExceptions = exceptions

// CountFiguresAgain is CountFigures after some organizations have failed.
var CountFiguresAgain = (*Store).countFigures
