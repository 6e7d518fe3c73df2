package dev.holdfast.internal.loading;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what is plugged in: stores, documents, keys, servers, actuators. */
public final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);

    /** More than anybody plugs in. */
    private static final int MOST = 1_000;

    private Services() {}

    /**
     * What the class loader of the calling thread knows, and then what is beside the type itself: in a container, or on a thread of
     * somebody else's, the first may know nothing of us.
     */
    public static <T> List<T> of(Class<T> service) {
        Services.class.getModule().addUses(service); // of modules that are built after this one
        Map<Class<?>, T> found = new LinkedHashMap<>();
        for (ServiceLoader<T> loader :
                List.of(ServiceLoader.load(service), ServiceLoader.load(service, service.getClassLoader()))) {
            providers(loader).forEach(provider -> found.computeIfAbsent(provider.type(), type -> made(provider)));
        }
        return List.copyOf(found.values());
    }

    /** One that does not fit, such as one for another copy of this library in the same process, does not hide the others. */
    private static <T> List<ServiceLoader.Provider<T>> providers(ServiceLoader<T> loader) {
        List<ServiceLoader.Provider<T>> providers = new ArrayList<>();
        Iterator<ServiceLoader.Provider<T>> next = loader.stream().iterator();
        for (int tries = 0; tries < MOST; tries++) {
            try {
                if (!next.hasNext()) {
                    break;
                }
                providers.add(next.next());
            } catch (ServiceConfigurationError e) {
                LOG.debug("Something that is plugged in does not fit: {}", e.getMessage());
            }
        }
        return providers;
    }

    /** One that cannot be made is told of, and does not keep the others from being found. */
    private static <T> @Nullable T made(ServiceLoader.Provider<T> provider) {
        try {
            return provider.get();
        } catch (ServiceConfigurationError e) {
            LOG.warn("{} cannot be used: {}", provider.type().getName(), e.getMessage());
            return null;
        }
    }
}
