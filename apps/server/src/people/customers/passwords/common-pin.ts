export { isCommonPin } from '@sathorn/api/common-secrets';
