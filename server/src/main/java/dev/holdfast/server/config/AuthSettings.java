package dev.holdfast.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code authentication.*}, {@code auth.*} and {@code jwt.*}: who may do what. */
public final class AuthSettings {
    /** Everybody may do everything. */
    public static final Setting<Boolean> DISABLED = Setting.of(
            "authentication.disabled",
            Texts.bool(),
            "false",
            "`true`: everybody who reaches the server may do everything, as `anonymous`.");

    /** The API tokens that are accepted. */
    public static final Setting<List<TokenEntry>> TOKENS = Setting.of(
            "auth.tokens",
            new TokensKind(),
            "[]",
            "API tokens by their hash, with the roles of each; see `holdfast token create`.");

    /** Who signs tokens. */
    public static final Setting<Optional<URI>> JWT_ISSUER = Setting.optional(
            "jwt.issuer",
            Texts.webAddress(),
            "Issuer whose JWTs are accepted; its keys are discovered unless `jwt.jwks` names them.");

    /** Where their keys are. */
    public static final Setting<Optional<URI>> JWT_JWKS =
            Setting.optional("jwt.jwks", Texts.webAddress(), "Where the keys that sign JWTs are published (JWKS).");

    /** For whom tokens must be meant. */
    public static final Setting<Optional<String>> JWT_AUDIENCE =
            Setting.optional("jwt.audience", Texts.text(500), "Audience a JWT must name.");

    /** Where roles are. */
    public static final Setting<String> JWT_ROLES_CLAIM = Setting.of(
            "jwt.roles-claim",
            Texts.text(200),
            "holdfast_roles",
            "Claim of a JWT with roles by namespace, as in `auth.tokens`.");

    /** Roles of tokens without that claim. */
    public static final Setting<Map<String, Set<String>>> JWT_DEFAULT_ROLES = Setting.of(
            "jwt.default-roles",
            new RolesKind(),
            "{\"*\": [read, lock]}",
            "Roles of a JWT without that claim; `{}` for none.");

    /** How far clocks may differ. */
    public static final Setting<Duration> JWT_CLOCK_SKEW = Setting.of(
            "jwt.clock-skew", Quantities.duration("0s", "5m"), "30s", "How far the issuer's clock may be off.");

    private AuthSettings() {}
}
