/**
 * {@code holdfast guard …}: databases that apps share. One class per command, listed in {@link dev.holdfast.cli.guard.GuardCommand};
 * {@code GuardOperation} opens the guard of a server or, with {@code --store}, one in this process. {@code GuardText} prints decisions, {@code
 * WhatFollows} says what happens next.
 */
@NullMarked
package dev.holdfast.cli.guard;

import org.jspecify.annotations.NullMarked;
