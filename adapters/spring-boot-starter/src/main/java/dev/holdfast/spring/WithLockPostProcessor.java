package dev.holdfast.spring;

import dev.holdfast.LockClient;
import java.util.Optional;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the locks around the methods marked {@link WithLock}, and ends the start of an application that has one where that cannot work.
 *
 * <p>The lock is outside of what is there already, such as a transaction. What comes later is outside of the lock: {@code @Async}, so that
 * the lock is held by the thread that works, and {@code @Scheduled}, which calls the bean as it is then.
 */
final class WithLockPostProcessor extends AbstractAdvisingBeanPostProcessor implements BeanFactoryAware {
    private static final long serialVersionUID = 1;
    private static final String TRANSACTIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";
    /** Just before the last ones, which are those of {@code @Async} and {@code @Scheduled}. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    private transient Optional<LockedMethods> methods = Optional.empty();

    WithLockPostProcessor() {
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
        setOrder(ORDER);
    }

    @Override
    public void setBeanFactory(BeanFactory beans) {
        // Asked for later: what is made here is made before all other beans.
        StringValueResolver placeholders = beans instanceof ConfigurableBeanFactory configurable
                ? configurable::resolveEmbeddedValue
                : text -> text;
        LockedMethods found = new LockedMethods(placeholders, () -> beans.getBean(HoldfastProperties.class));
        methods = Optional.of(found);
        ClassLoader loader = beans.getClass().getClassLoader();
        WithLockInterceptor interceptor = new WithLockInterceptor(
                found,
                SingletonSupplier.of(() -> beans.getBean(LockClient.class)),
                beans,
                ClassUtils.isPresent(TRANSACTIONS, loader) ? Optional.of(new OuterTransaction()) : Optional.empty());
        advisor = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, WithLock.class, true), interceptor);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AopInfrastructureBean)) {
            Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
            methods.ifPresent(all -> all.check(type, AopUtils.isJdkDynamicProxy(bean)));
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }
}
