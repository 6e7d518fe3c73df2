/**
 * The commands about single locks: take, renew and release ({@code acquire}, {@code renew}, {@code release}), look ({@code ls},
 * {@code get}, {@code explain}, {@code watch}, {@code history}), end by force ({@code unlock}), clean up, and those of the script
 * {@code deployer}. The classes whose names end in Text, Line or Lines are what these print; {@code state} prints some of it too.
 */
@NullMarked
package dev.holdfast.cli.locks;

import org.jspecify.annotations.NullMarked;
