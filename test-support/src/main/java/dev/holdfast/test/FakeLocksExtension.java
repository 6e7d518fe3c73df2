package dev.holdfast.test;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each JUnit test {@link FakeLocks} of its own, as a parameter of the test or of its {@code @BeforeEach} and {@code @AfterEach}
 * methods; a parameter of type {@link LockClient} is {@link FakeLocks#client()} of the same.
 *
 * <pre>
 *   &#64;ExtendWith(FakeLocksExtension.class)
 *   class ReportTest {
 *       &#64;Test
 *       void waitsForItsTurn(FakeLocks locks, LockClient client) { ... }
 *   }
 * </pre>
 *
 * <p>After the test they are closed. If the test has not failed anyway, it fails when it left a lock held, unless it or its class is marked
 * {@link MayLeaveLocksHeld}; and when a listener of a lock has thrown. Use it as a field with {@code @RegisterExtension} for clients with
 * other settings. Safe for any thread.
 */
public final class FakeLocksExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace PLACE = ExtensionContext.Namespace.create(FakeLocksExtension.class);

    private final Optional<ClientConfig> config;

    /** For clients with the usual settings. */
    public FakeLocksExtension() {
        this.config = Optional.empty();
    }

    /** For clients with these settings, such as a namespace or a listener. */
    public FakeLocksExtension(ClientConfig config) {
        this.config = Optional.of(config);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == FakeLocks.class || type == LockClient.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "Each test has FakeLocks of its own: take them as a parameter of a @Test or @BeforeEach method, not of a"
                            + " constructor or a method for all tests");
        }
        FakeLocks locks = locks(context);
        return parameter.getParameter().getType() == FakeLocks.class ? locks : locks.client();
    }

    private FakeLocks locks(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(PLACE);
        FakeLocks locks = store.get(context.getUniqueId(), FakeLocks.class);
        if (locks == null) {
            locks = config.map(FakeLocks::new).orElseGet(FakeLocks::new);
            store.put(context.getUniqueId(), locks);
        }
        return locks;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        FakeLocks locks = context.getStore(PLACE).remove(context.getUniqueId(), FakeLocks.class);
        if (locks == null) {
            return;
        }
        try (FakeLocks ended = locks) {
            if (context.getExecutionException().isEmpty() && !mayLeaveLocksHeld(context)) {
                ended.assertAllReleased();
            }
        }
    }

    private static boolean mayLeaveLocksHeld(ExtensionContext context) {
        boolean marked =
                context.getElement().filter(FakeLocksExtension::isMarked).isPresent();
        for (Class<?> type = context.getRequiredTestClass(); !marked && type != null; type = type.getEnclosingClass()) {
            marked = isMarked(type);
        }
        return marked;
    }

    private static boolean isMarked(AnnotatedElement element) {
        return element.isAnnotationPresent(MayLeaveLocksHeld.class);
    }
}
