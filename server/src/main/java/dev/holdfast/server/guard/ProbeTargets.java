package dev.holdfast.server.guard;

import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where apps may be. One whose URL names no host is below the gateway, and stored so: every guard probes the same. */
record ProbeTargets(GuardOptions.Probes probes) {
    /**
     * All of them, with whole URLs; the guard itself checks the rest.
     *
     * @throws InvalidAppException if one may not be probed
     */
    List<Registration> checked(List<Registration> all) {
        List<Registration> checked = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Registration one : all) {
            String url = absolute(one, problems);
            refusal(url).ifPresent(why -> problems.add("url of '" + one.app() + "': " + why));
            checked.add(new Registration(one.app(), url, one.databases(), one.desired(), one.health()));
        }
        if (!problems.isEmpty()) {
            throw new InvalidAppException(problems);
        }
        return checked;
    }

    private String absolute(Registration one, List<String> problems) {
        if (!one.url().startsWith("/") || one.url().startsWith("//")) {
            return one.url();
        }
        if (probes.gateway().isEmpty()) {
            problems.add("url '" + one.url() + "' of '" + one.app()
                    + "' names no host: write http://host/…, or set API_GATEWAY_URL, the base for such paths");
            return "http://invalid/";
        }
        String base = probes.gateway().get().toString();
        return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + one.url();
    }

    /** Only of what is a URL at all: the guard tells better what is wrong with one that is not. */
    private Optional<String> refusal(String url) {
        try {
            URI uri = new URI(url);
            return uri.getHost() == null ? Optional.empty() : probes.policy().refusal(uri);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
