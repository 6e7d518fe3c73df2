package dev.holdfast.server.config;

import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.probe.AddressPolicy;
import dev.holdfast.guard.probe.AddressRange;
import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.Loopback;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.GuardSettings;
import dev.holdfast.server.config.settings.LimitSettings;
import dev.holdfast.server.config.settings.LockSettings;
import dev.holdfast.server.config.settings.NotifySettings;
import dev.holdfast.server.config.settings.ObserveSettings;
import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What must fit together. Nothing is said about settings whose own value was refused. */
record CrossChecks(SettingsResolver settings, Path workingDirectory, Problems problems) {
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?");

    void make() {
        tls();
        authentication();
        pairs();
        durations();
        guard();
        audit();
        notifications();
        names();
    }

    /** Whether anything says who may do what; saying that everybody may is such a thing. */
    static boolean isAuthConfigured(
            boolean disabled, boolean jwt, List<TokenEntry> tokens, List<CertificateEntry> certificates) {
        return disabled || jwt || !tokens.isEmpty() || !certificates.isEmpty();
    }

    private void tls() {
        if (!settings.areSound(ServerSettings.TLS_CERTIFICATE, ServerSettings.TLS_KEY)) {
            return;
        }
        together(ServerSettings.TLS_CERTIFICATE, ServerSettings.TLS_KEY);
        readable(ServerSettings.TLS_CERTIFICATE);
        readable(ServerSettings.TLS_KEY);
        readable(ServerSettings.TLS_CLIENT_CA);
        clientCertificates();
    }

    private void clientCertificates() {
        if (!settings.areSound(
                ServerSettings.TLS_CLIENT_CA, ServerSettings.TLS_CLIENT_AUTH, AuthSettings.CERTIFICATES)) {
            return;
        }
        boolean asked =
                !settings.get(ServerSettings.TLS_CLIENT_AUTH).orElse("none").equals("none");
        boolean authorities = settings.optional(ServerSettings.TLS_CLIENT_CA).isPresent();
        if (authorities && settings.optional(ServerSettings.TLS_CERTIFICATE).isEmpty()) {
            problems.add(named(ServerSettings.TLS_CLIENT_CA)
                    + " is set, but not server.tls.certificate: without HTTPS clients show no certificates");
        }
        if (asked && !authorities) {
            problems.add(named(ServerSettings.TLS_CLIENT_AUTH)
                    + " asks for certificates, but server.tls.client-ca does not say whose are accepted; set it");
        }
        if (authorities && !asked) {
            problems.add(
                    named(ServerSettings.TLS_CLIENT_CA)
                            + " is set, but server.tls.client-auth is none: no client would be asked; set it to optional or required");
        }
        if (!asked && !settings.get(AuthSettings.CERTIFICATES).orElse(List.of()).isEmpty()) {
            problems.add(named(AuthSettings.CERTIFICATES)
                    + " names certificates, but server.tls.client-auth is none: no client would be asked;"
                    + " set server.tls.client-ca, and server.tls.client-auth to optional or required");
        }
    }

    private void readable(Setting<Optional<Path>> setting) {
        settings.optional(setting)
                .map(workingDirectory::resolve)
                .filter(file -> !Files.isRegularFile(file) || !Files.isReadable(file))
                .ifPresent(file ->
                        problems.add(named(setting) + " must name a PEM file that can be read, was '" + file + "'"));
    }

    private void pairs() {
        together(SeedSettings.DYNAMODB_ACCESS_KEY_ID, SeedSettings.DYNAMODB_SECRET_ACCESS_KEY);
        if (!settings.areSound(AuthSettings.JWT_AUDIENCE, AuthSettings.JWT_ISSUER, AuthSettings.JWT_JWKS)) {
            return;
        }
        boolean audience = settings.optional(AuthSettings.JWT_AUDIENCE).isPresent();
        if (audience && !isJwtConfigured()) {
            problems.add(named(AuthSettings.JWT_AUDIENCE)
                    + " is set, but neither jwt.issuer nor jwt.jwks: no JWT could be checked; set one of them");
        }
        if (!audience && isJwtConfigured()) {
            problems.add(
                    named(jwtSetting()) + " is set, but not jwt.audience: JWTs that were made for any other service"
                            + " would be accepted; set jwt.audience to what your issuer puts into aud for this server");
        }
    }

    private void together(Setting<? extends Optional<?>> one, Setting<? extends Optional<?>> other) {
        if (settings.areSound(one, other)
                && settings.optional(one).isPresent()
                        != settings.optional(other).isPresent()) {
            Setting<?> there = settings.optional(one).isPresent() ? one : other;
            Setting<?> missing = settings.optional(one).isPresent() ? other : one;
            problems.add(named(there) + " is set, but not " + missing + "; they only work together");
        }
    }

    private void authentication() {
        if (!settings.areSound(
                AuthSettings.DISABLED,
                AuthSettings.TOKENS,
                AuthSettings.CERTIFICATES,
                AuthSettings.JWT_ISSUER,
                AuthSettings.JWT_JWKS)) {
            return;
        }
        boolean disabled = settings.get(AuthSettings.DISABLED).orElse(false);
        List<TokenEntry> tokens = settings.get(AuthSettings.TOKENS).orElse(List.of());
        List<CertificateEntry> certificates =
                settings.get(AuthSettings.CERTIFICATES).orElse(List.of());
        if (disabled) {
            contradictions(tokens, certificates);
        }
        if (isAuthConfigured(disabled, isJwtConfigured(), tokens, certificates)) {
            return;
        }
        if (settings.isGiven(AuthSettings.DISABLED)) {
            problems.add(named(AuthSettings.DISABLED)
                    + " is false, but nobody could log in; set auth.tokens, jwt.issuer or jwt.jwks");
        } else if (settings.get(ServerSettings.HOST)
                .filter(host -> !Loopback.isLoopback(host))
                .isPresent()) {
            problems.add(
                    named(ServerSettings.HOST) + " is reachable from other machines, and nothing says who may do what;"
                            + " set auth.tokens, jwt.issuer or jwt.jwks, or authentication.disabled=true to let everybody in");
        }
    }

    /** A variable that was left over must not open what the file closes. */
    private void contradictions(List<TokenEntry> tokens, List<CertificateEntry> certificates) {
        List<Setting<?>> others = new ArrayList<>();
        if (!tokens.isEmpty()) {
            others.add(AuthSettings.TOKENS);
        }
        if (!certificates.isEmpty()) {
            others.add(AuthSettings.CERTIFICATES);
        }
        if (isJwtConfigured()) {
            others.add(jwtSetting());
        }
        for (Setting<?> other : others) {
            problems.add(named(AuthSettings.DISABLED) + " is true and would let everybody in, although " + named(other)
                    + " says who may come; remove one of them");
        }
    }

    private Setting<?> jwtSetting() {
        return settings.optional(AuthSettings.JWT_ISSUER).isPresent() ? AuthSettings.JWT_ISSUER : AuthSettings.JWT_JWKS;
    }

    private void guard() {
        Set<String> actuators = new TreeSet<>(
                settings.get(GuardSettings.ACTUATORS).map(Map::keySet).orElse(Set.of()));
        actuators.add(Actuators.LOG);
        settings.get(GuardSettings.ACTUATOR)
                .filter(name -> settings.areSound(GuardSettings.ACTUATORS) && !actuators.contains(name))
                .ifPresent(name -> problems.add(named(GuardSettings.ACTUATOR) + " must be one of "
                        + String.join(", ", actuators) + ", as configured by guard.actuators, was '" + name + "'"));
        try {
            AddressPolicy.standard()
                    .allowing(settings.get(GuardSettings.PROBE_ALLOW).orElse(List.of()));
        } catch (IllegalArgumentException e) {
            problems.add(named(GuardSettings.PROBE_ALLOW) + ": " + e.getMessage());
        }
        readable(GuardSettings.PROBE_CA);
    }

    private void audit() {
        boolean required = settings.get(ObserveSettings.AUDIT_REQUIRED).orElse(false);
        if (required
                && settings.areSound(ObserveSettings.AUDIT_FILE)
                && settings.optional(ObserveSettings.AUDIT_FILE).isEmpty()) {
            problems.add(named(ObserveSettings.AUDIT_REQUIRED)
                    + " is true, but audit.file is not set: only with a file can a failed write be noticed; set it");
        }
    }

    private void notifications() {
        boolean kept = settings.get(LockSettings.HISTORY_ENABLED).orElse(true);
        if (!kept && !settings.get(NotifySettings.WEBHOOKS).orElse(List.of()).isEmpty()) {
            problems.add(named(NotifySettings.WEBHOOKS)
                    + " needs the events in the store, but history.enabled is false; set it to true");
        }
    }

    private void names() {
        for (String host : settings.get(ServerSettings.ALLOWED_HOSTS).orElse(List.of())) {
            if (!HOST.matcher(host).matches()) {
                problems.add(named(ServerSettings.ALLOWED_HOSTS)
                        + " must have names such as holdfast or *.example.com, without scheme and port, has '" + host
                        + "'");
            }
        }
        for (String proxy : settings.get(ServerSettings.TRUSTED_PROXIES).orElse(List.of())) {
            try {
                AddressRange.of(proxy);
            } catch (IllegalArgumentException e) {
                problems.add(named(ServerSettings.TRUSTED_PROXIES) + ": " + e.getMessage());
            }
        }
    }

    private boolean isJwtConfigured() {
        return settings.optional(AuthSettings.JWT_ISSUER).isPresent()
                || settings.optional(AuthSettings.JWT_JWKS).isPresent();
    }

    private void durations() {
        if (compared(LockSettings.DEFAULT_LEASE, LockSettings.MAX_LEASE) > 0) {
            problems.add(
                    named(LockSettings.DEFAULT_LEASE) + " must not be longer than " + named(LockSettings.MAX_LEASE));
        }
        // A waiting connection is idle: it must not be closed in the moment in which it is answered.
        if (compared(LimitSettings.LONG_POLL, LimitSettings.IDLE_TIMEOUT) >= 0) {
            problems.add(named(LimitSettings.LONG_POLL) + " must be shorter than " + named(LimitSettings.IDLE_TIMEOUT));
        }
    }

    /** Below zero if one is shorter than the other, or if one of them was refused. */
    private int compared(Setting<Duration> one, Setting<Duration> other) {
        Optional<Duration> first = settings.get(one);
        Optional<Duration> second = settings.get(other);
        return first.isPresent() && second.isPresent() ? first.get().compareTo(second.get()) : -1;
    }

    private String named(Setting<?> setting) {
        return setting + " (" + settings.originOf(setting) + ")";
    }
}
