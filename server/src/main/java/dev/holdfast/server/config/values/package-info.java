/**
 * Kinds of values: how each is read, which are allowed, how it may be shown. Start at {@code ValueKind}.
 *
 * <pre>
 *   YamlText ─► Value          text, lists and maps, with their lines
 *   Texts, Quantities          kinds of one piece of text: TextKind
 *   EntriesKind                lists of maps: TokensKind, CertificatesKind, RoleRulesKind
 *   RolesKind, ClaimsKind, ActuatorsKind      maps
 *   ValueRefusal, RefusalDetails      what is wrong, with its place, and never a secret
 * </pre>
 *
 * Knows no setting. Public for the two packages above it.
 */
@NullMarked
package dev.holdfast.server.config.values;

import org.jspecify.annotations.NullMarked;
