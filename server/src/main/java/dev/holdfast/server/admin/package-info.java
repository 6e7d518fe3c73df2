/**
 * What only whoever runs the server may see and change while it runs: {@code /admin/…}, for the role {@code admin} in all namespaces.
 * {@code holdfast diagnose} puts the answers into one file. Each call answers by itself, and without the store where it can: what is
 * asked here is asked when something does not work. Nothing here shows a secret: settings and log lines are masked where they are read.
 */
@NullMarked
package dev.holdfast.server.admin;

import org.jspecify.annotations.NullMarked;
