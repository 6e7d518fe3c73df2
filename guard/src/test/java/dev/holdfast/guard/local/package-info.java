/** Tests of the guard, on doubles of its own seams: apps that are seen as told, machines that stop and start as told. */
@NullMarked
package dev.holdfast.guard.local;

import org.jspecify.annotations.NullMarked;
