// Package streamlined files the simplified electronic return with the states of the Streamlined Sales and Use Tax Agreement.
// Adapter is the way to one state: it takes the stored document of an attempt, and only transports it. Transport carries its
// messages. Sandbox is a Transport that checks documents and answers as a state does.
package streamlined
