export { isCommonPassword } from '@sathorn/api/common-secrets';
